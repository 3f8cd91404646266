// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/pool.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::pool::parts {

/// With 'nearest', in which order those are visited that are equally far, and in other domains: by number, from the thief's own
/// on, or from a random start.
enum class far_order : std::uint8_t { by_number, random_start };

/// In which order a thief visits the queues of the others, which are numbered: by number, from a random start, or those first
/// that share the core, then the cache, then the package.
///
/// Cost: for_each calls the visitor for up to queues − 1 victims. Space: with 'nearest', two bytes per pair of queues.
class victims {
 public:
  /// Each worker has a queue, of its number.
  explicit victims(const environment& from, far_order far = far_order::by_number) : victims(from, {}, victim_order::nearest) {
    if (far == far_order::random_start && order_ == victim_order::nearest && places_.domains() > 1) find_ranks();
  }
  /// Several workers share one: `first_workers` says whose, of each queue one. `published`: the order if the user sets none. A
  /// random first victim is each of them alike.
  victims(const environment& from, const std::vector<unsigned>& first_workers, victim_order published)
      : queues_(first_workers.empty() ? from.workers : static_cast<unsigned>(first_workers.size())),
        order_(from.set.victims.or_if_not_set(published)),
        even_(!first_workers.empty()),
        places_(from.places),
        end_of_active_(first_workers.empty() ? from.end_of_active : nullptr) {
    if (order_ == victim_order::nearest) sort_by_distance(first_workers);
  }

  /// Effect: calls visit(victim) until it returns true. Returns: whether it did.
  template <class Visitor>
  bool for_each(worker& thief, Visitor visit) const {
    return for_each(thief, thief.id, visit);
  }
  /// The same, of a thief whose own queue is of that number.
  template <class Visitor>
  bool for_each(worker& thief, unsigned own, Visitor visit) const {
    if (queues_ == 1) return false;
    const std::uint64_t spent = thief.account.begins_to_look();
    bool found = false;
    {
      const platform::account_scope stealing(account_part::stealing);
      found = visit_each(thief, own, visit);
    }
    if (!found) thief.account.was_in_vain(thief.account.spent(account_part::stealing) - spent);
    return found;
  }

  unsigned domain_of(const worker& thief) const { return places_.domain(thief.id); }
  /// Whether the victim is of another domain.
  bool is_far(const worker& thief, unsigned victim) const { return places_.domain(victim) != domain_of(thief); }

  /// Effect: counts a successful steal of so many tasks from that worker.
  void count_steal(worker& thief, unsigned victim, std::uint64_t tasks) const {
    thief.count(trace::counter::steals_got);
    thief.count(trace::counter::tasks_stolen, tasks);
    const unsigned crossed = places_.distance(thief.id, victim);
    if (crossed != 0) thief.count(trace::counter::steal_distance, crossed);
    thief.count(crossed != 0 ? trace::counter::steals_remote : trace::counter::steals_on_chip);
  }

 private:
  template <class Visitor>
  bool visit_each(worker& thief, unsigned own, Visitor& visit) const {
    // relaxed: a put of one that is left out is ordered as the put itself is.
    const unsigned end = end_of_active_ != nullptr ? end_of_active_->load(platform::relaxed) : queues_;
    if (order_ == victim_order::nearest) return visit_nearest(thief, own, end, visit);
    unsigned victim = order_ == victim_order::random ? start_of(thief, own) : own;
    for (unsigned visited = 0; visited < queues_; ++visited) {
      if (++victim == queues_) victim = 0;
      if (victim != own && victim < end && visit(victim)) return true;
    }
    return false;
  }

  /// Where in a row the victims of its own domain end, those of its package, and all.
  using rank_ends = std::array<std::uint16_t, 3>;

  /// `end`: victims from this number on take no part.
  template <class Visitor>
  bool visit_nearest(worker& thief, unsigned own, unsigned end, Visitor& visit) const {
    const std::uint16_t* const row = nearest_.data() + std::size_t{own} * (queues_ - 1);
    if (ranks_.empty()) return visit_round(row, row, row + (queues_ - 1), end, visit);
    const std::uint16_t* first = row;
    for (std::size_t rank = 0; rank < std::tuple_size_v<rank_ends>; ++rank) {
      const std::uint16_t* const last = row + ranks_[own][rank];
      if (visit_round(first, rank == 0 ? first : start_among(thief, end, first, last), last, end, visit)) return true;
      first = last;
    }
    return false;
  }

  /// From `start` to the last one, then those before it. By hand: an algorithm of the standard library puts the visitor into four
  /// places of its loop, for each pool again.
  template <class Visitor>
  static bool visit_round(const std::uint16_t* first, const std::uint16_t* start, const std::uint16_t* last, unsigned end,
                          Visitor& visit) {
    const std::uint16_t* at = start;
    for (std::ptrdiff_t left = last - first; left != 0; --left) {
      const unsigned victim = *at;
      if (victim < end && visit(victim)) return true;
      if (++at == last) at = first;
    }
    return false;
  }

  /// Returns: one of those that take part, each of them alike: of the others, the first of them would come more often. The first
  /// of all if none does.
  static const std::uint16_t* start_among(worker& thief, unsigned end, const std::uint16_t* first, const std::uint16_t* last) {
    const auto takes_part = [end](unsigned victim) { return victim < end; };
    const auto count = static_cast<unsigned>(std::count_if(first, last, takes_part));
    if (count == 0) return first;
    const std::uint16_t* start = std::find_if(first, last, takes_part);
    for (unsigned skipped = thief.random.below(count); skipped != 0; --skipped) start = std::find_if(start + 1, last, takes_part);
    return start;
  }

  void find_ranks() {
    for (unsigned own = 0; own < queues_; ++own) {
      rank_ends& ends = ranks_.emplace_back();
      for (unsigned other = 0; other < queues_; ++other) {
        for (std::size_t rank = places_.distance(own, other); other != own && rank < ends.size(); ++rank) ++ends[rank];
      }
    }
  }

  /// Returns: the number before that of the queue that is visited first; if that is the thief's own, the next one is.
  unsigned start_of(worker& thief, unsigned own) const {
    return even_ ? (own + thief.random.below(queues_ - 1)) % queues_ : thief.random.below(queues_);
  }

  void sort_by_distance(const std::vector<unsigned>& first_workers) {
    const auto seat = [&](unsigned queue) { return first_workers.empty() ? queue : first_workers[queue]; };
    for (unsigned own = 0; own < queues_; ++own) {
      const auto row = static_cast<std::ptrdiff_t>(nearest_.size());
      for (unsigned step = 1; step < queues_; ++step) nearest_.push_back(static_cast<std::uint16_t>((own + step) % queues_));
      const auto rank = [&](unsigned victim) {
        return std::pair(places_.common(seat(own), seat(victim)), (victim + queues_ - own) % queues_);
      };
      std::sort(nearest_.begin() + row, nearest_.end(), [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
    }
  }

  const unsigned queues_;
  const victim_order order_;
  const bool even_;  ///< of a random start: each victim is as likely the first; else the one behind the thief twice as likely
  const worker_places& places_;
  const platform::atomic<std::uint32_t>* const end_of_active_;
  std::vector<std::uint16_t> nearest_;  ///< row by row: each queue's victims, nearest first, then by number
  std::vector<rank_ends> ranks_;        ///< of each row; none: all in that order
};

/// A domain's, held by the one of its thieves that visits other domains (Olivier et al. 2012).
struct alignas(cache_line_bytes) gate {
  platform::atomic<std::uint32_t> held{0};
};

/// The right to visit other domains, asked for when it is needed. A thief that did not get it must not say that there is nothing.
/// `Alone`: one per domain has it; else everybody.
template <bool Alone>
struct crossing {
  gate& own;
  bool asked = false, granted = false;

  bool may_cross() {
    // acquire and release: the next one to cross sees the queues as this one left them; nothing rests on it.
    if (!asked) granted = !Alone || own.held.exchange(1, platform::acquire) == 0;
    asked = true;
    return granted;
  }
  ~crossing() {
    if (Alone && granted) own.held.store(0, platform::release);  // release: as above
  }
};

}  // namespace TEFF_NAMESPACE::pool::parts
