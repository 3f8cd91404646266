// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/pool.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::pool::parts {

/// In which order a thief visits the other workers: by number, from a random start, or those first that share the core, then
/// the cache, then the package.
///
/// Cost: for_each calls the visitor for up to workers − 1 victims. Space: with 'nearest', two bytes per pair of workers.
class victims {
 public:
  explicit victims(const environment& from) : workers_(from.workers), order_(from.set.victims), places_(from.places) {
    if (order_ == victim_order::nearest) sort_by_distance();
  }

  /// Effect: calls visit(victim) until it returns true. Returns: whether it did.
  template <class Visitor>
  bool for_each(worker& thief, Visitor visit) const {
    if (workers_ == 1) return false;
    const std::uint64_t spent = thief.account.begins_to_look();
    bool found = false;
    {
      const platform::account_scope stealing(account_part::stealing);
      found = visit_each(thief, visit);
    }
    if (!found) thief.account.was_in_vain(thief.account.spent(account_part::stealing) - spent);
    return found;
  }

  unsigned domain_of(const worker& thief) const { return places_.domain(thief.id); }
  /// Whether the victim is of another domain.
  bool is_far(const worker& thief, unsigned victim) const { return places_.domain(victim) != domain_of(thief); }

  /// Effect: counts a successful steal of so many tasks.
  void count_steal(worker& thief, unsigned victim, std::uint64_t tasks) const {
    thief.count(trace::counter::steals_got);
    thief.count(trace::counter::tasks_stolen, tasks);
    if (const unsigned crossed = places_.distance(thief.id, victim)) thief.count(trace::counter::steal_distance, crossed);
  }

 private:
  template <class Visitor>
  bool visit_each(worker& thief, Visitor& visit) const {
    if (order_ == victim_order::nearest) {
      const std::uint16_t* row = nearest_.data() + std::size_t{thief.id} * (workers_ - 1);
      return std::any_of(row, row + (workers_ - 1), [&](unsigned victim) { return visit(victim); });
    }
    unsigned victim = order_ == victim_order::random ? thief.random.below(workers_) : thief.id;
    for (unsigned visited = 0; visited < workers_; ++visited) {
      if (++victim == workers_) victim = 0;
      if (victim != thief.id && visit(victim)) return true;
    }
    return false;
  }

  void sort_by_distance() {
    for (unsigned thief = 0; thief < workers_; ++thief) {
      const auto row = static_cast<std::ptrdiff_t>(nearest_.size());
      for (unsigned step = 1; step < workers_; ++step) nearest_.push_back(static_cast<std::uint16_t>((thief + step) % workers_));
      const auto rank = [&](unsigned victim) {
        return std::pair(places_.common(thief, victim), (victim + workers_ - thief) % workers_);
      };
      std::sort(nearest_.begin() + row, nearest_.end(), [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
    }
  }

  const unsigned workers_;
  const victim_order order_;
  const worker_places& places_;
  std::vector<std::uint16_t> nearest_;  ///< row by row: each thief's victims, nearest first, then by number
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
