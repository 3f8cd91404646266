// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/kept_workers.h"
#include "pool/parts/noted_puts.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/queue_options.h"
#include "pool/parts/shepherd_map.h"
#include "pool/parts/shepherd_rules.h"
#include "pool/parts/victims.h"
#include "pool/pool.h"
#include "queue/inbox.h"

#include <utility>

namespace TEFF_NAMESPACE::pool {

/// Where a worker's puts go (Olivier et al. 2012, Table 1, task placement).
enum class placement : std::uint8_t { own, in_turn };

template <class Queue>
concept first_come_first_served = requires { Queue::is_fifo; };

/// Shepherds: a queue for each worker, for the workers of a domain, or for all; filled by their own puts or in turn; with or
/// without theft between them.
///
/// Source: Olivier et al. 2012, §3, Table 1, whose columns are the parameters (Q, L, CQ, WS, MTS); §3.2 for MTS.
///   Differs: docs/design/shepherds.md says what the paper leaves open, and what is read how.
/// Idea: those of a domain share a cache, so they share a stack: its order is close to the serial one. Only when it is empty, one
///   of them, the first to see that, goes to other domains, and brings as many of a victim's oldest tasks as the domain has
///   workers. Who comes meanwhile looks again until they are there.
/// Invariants: no thread holds locks of two queues; between shepherds with several workers only who has the gate of its own
///   visits others, and no task runs while it is held. In turn: a task is got by the worker that its put has named alone, unless
///   a task keeps that one waiting.
/// Cost: the queue's lock per put and get; a search: a read-modify-write for the gate, a load per victim, and the lock of each
///   that shows tasks. In turn: also a fence per put; a tied wait: a lock or three read-modify-writes for each note up to a child's.
///   Space: of stacks, at most the sum of the shepherds' serial spaces. Order: the queue's; a chunk keeps its own.
/// Good for: mts: several chips, and tasks that share data with their parents; q: loops. Bad for: short tasks on domains of many
///   workers (the lock); q, l: trees of tasks.
/// Considered: a put in turn that lets any sleeper be woken: runs end stuck (docs/design/shepherds.md).
template <parts::shared_by Sharing, placement Placed, class Queue, class Rules = parts::shepherd_rules>
class shepherds {
  static constexpr bool in_turn = Placed == placement::in_turn;

 public:
  static_assert(in_turn || Queue::has_opposite_end);
  static constexpr pool_traits traits{
      .uses = in_turn                            ? setting_names{Queue::uses, {}}
              : Sharing == parts::shared_by::all ? setting_names{Queue::uses, {"wake"}}
                                                 : setting_names{Queue::uses, {"steal", "victims", "wake"}},
      .task_block_bytes = [](const settings&) { return Queue::block_bytes(); },
      .suspends_waiters = first_come_first_served<Queue>,
      .waits_at_home = true,
      .looks_in_passing = in_turn,
      .pin = pinning::domain,
  };

  explicit shepherds(const environment& from)
      : map_(Rules::goes_by_domains ? Sharing : parts::shared_by::all, from.places),
        amount_(from.set.steal.or_if_not_set(steal_amount::rule::workers)),
        victims_(from, map_.first_workers(), victim_order::random),
        queues_(map_.size(), parts::queue_options(from, 1)),
        gates_(map_.size()),
        seats_(from.workers, Rules::notes_puts && from.waits_are_tied),
        kept_(from.workers) {
    for (unsigned each = 0; each < map_.size(); ++each)
      if constexpr (requires { queues_[each].name(lock_label{}); }) queues_[each].name(lock_label::of(guarded::queue, each));
  }

  advice init(worker& first, task ready) { return put(first, ready); }

  advice put(worker& current, task ready) {
    if constexpr (in_turn) return put_in_turn(current, ready);
    const advice advised = parts::advise(queues_[map_.of(current)].push(current, ready));
    return Rules::calls_near_first && advised != advice::refused ? map_.near(current, advised) : advised;
  }

  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    Queue& own = queues_[map_.of(current)];
    if (how == reach::own) return get_result::of(get_at_once(own, current, next));
    leave_what_was_kept(current);
    const auto found = own.template pop<queue::end::working>(current, next);
    if (found == queue::steal_result::got || inbox_.pop(next)) return get_result::got;
    const bool lost = found == queue::steal_result::lost;
    // The same code for one shepherd: what a run does goes by how many there are, not by the name.
    if constexpr (!in_turn) {
      if (map_.size() > 1) return get_elsewhere(current, next, lost);
    } else {
      const auto any = [](const task&) { return true; };
      const auto take_any = [&](unsigned id) {
        return queues_[id].length_estimate() != 0 && queues_[id].take_if(current, any, next);
      };
      if (kept_.for_each(take_any)) return get_result::got;
    }
    return lost ? get_result::retry : get_result::empty;
  }

  /// A wait that cannot be set aside reaches its children wherever they lie, also where the paper exchanges nothing: counted
  /// apart. In turn: those that its worker has put come first.
  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    if (take_noted(current, wanted, taken, how)) return get_result::got;
    const unsigned own = map_.of(current);
    const auto take_from = [&](unsigned shepherd) {
      Queue& from = queues_[shepherd];
      if (from.length_estimate() == 0) return false;
      if constexpr (in_turn) {
        if (how == reach::passing) return from.take_if(current, wanted, taken, seats_[current].noted.newest());
      }
      return from.take_if(current, wanted, taken);
    };
    if (take_from(own)) return get_result::got;
    if (how == reach::own) return get_result::empty;
    if (inbox_.take_if(wanted, taken)) return get_result::got;
    const bool found = victims_.for_each(current, own, take_from);
    if (found) current.count(trace::counter::reached_by_waits);
    else if constexpr (in_turn) seats_[current].noted.looked_in_vain();
    return get_result::of(found);
  }

  /// What lies in the queue of a worker that a task keeps waiting is for others, too, until that looks again. They are called
  /// once: for what comes later its put calls them.
  advice share(worker& current)
    requires(in_turn)
  {
    return kept_.begin(current) && queues_[current].length_estimate() != 0 ? advice::wake_all : advice::wake_none;
  }

  void close(worker& last)
    requires requires(Queue& closed) { closed.close(last); }
  {
    queues_.for_each([&](Queue& each) { each.close(last); });
  }

  pool_statistics statistics() const {
    return {queues_.sum([](const Queue& each) { return each.peak(); }),
            queues_.sum([](const Queue& each) { return each.lock_waits(); })};
  }
  void reset_statistics() {
    queues_.for_each([](Queue& each) { each.reset_statistics(); });
  }

 private:
  struct nothing {
    explicit nothing(bool) {}
  };
  /// A worker's own.
  struct alignas(cache_line_bytes) seat {
    explicit seat(bool notes_puts) : noted(notes_puts) {}
    unsigned turn = 0;                 ///< of its next put
    parts::gate* left_open = nullptr;  ///< of a mutant
    [[no_unique_address]] std::conditional_t<in_turn, parts::noted_puts, nothing> noted;
  };

  advice put_in_turn(worker& current, task ready) {
    seat& own = seats_[current];
    const unsigned to = (current.id + 1 + own.turn) % map_.size();
    if (queues_[to].push(current, ready, own.noted.add(to)) == queue::push_result::refused) return advice::refused;
    if (++own.turn == map_.size()) own.turn = 0;
    if (kept_.opens(to)) return advice::wake_all;
    return Rules::names_whom_to_wake ? advice(advice::wake_one, to, to + 1) : advice(advice::wake_one);
  }

  template <class Predicate>
  bool take_noted(worker& current, Predicate& wanted, task& taken, reach how) {
    if constexpr (!in_turn) return false;
    else return how != reach::own && seats_[current].noted.find([&](unsigned into, const queue::note& where) {
      const bool found = queues_[into].take_noted(current, where, wanted, taken);
      if (found && into != map_.of(current)) current.count(trace::counter::reached_by_waits);
      return found;
    });
  }

  bool get_at_once([[maybe_unused]] Queue& own, [[maybe_unused]] worker& current, [[maybe_unused]] task& next) {
    if constexpr (!in_turn) return own.template try_pop<queue::end::working>(current, next) == queue::steal_result::got;
    else return false;
  }

  void leave_what_was_kept([[maybe_unused]] worker& current) {
    if constexpr (in_turn) kept_.end(current);
    if constexpr (!Rules::opens_gate_before_task) {
      // release: the next thief of the domain sees what this one took.
      if (parts::gate* const mine = std::exchange(seats_[current].left_open, nullptr)) mine->held.store(0, platform::release);
    }
  }

  /// Effect: as the domain's thief, brings tasks of others. Returns: retry to who finds that one at work.
  get_result get_elsewhere(worker& current, task& next, bool lost) {
    const unsigned home = map_.of(current);
    // Who shares its queue with nobody is always the first to see that it is empty.
    parts::crossing<Rules::has_gate> way{gates_[home]};
    if (map_.workers_of(home) > 1) {
      if (!way.may_cross()) return get_result::retry;
      // The last thief's tasks may have come between this worker's look and the gate.
      if (queues_[home].template pop<queue::end::working>(current, next) == queue::steal_result::got) return get_result::got;
    }
    std::size_t more = 0;
    const bool stolen = victims_.for_each(current, home, [&](unsigned victim) {
      const auto found = steal(current, home, victim, next, more);
      lost |= found == queue::steal_result::lost;
      return found == queue::steal_result::got;
    });
    if constexpr (!Rules::opens_gate_before_task) {
      if (way.granted && stolen) seats_[current].left_open = &gates_[home], way.granted = false;
    }
    if (stolen) return {get_result::got, map_.near_for(current, home, more)};
    return lost ? get_result::retry : get_result::empty;
  }

  queue::steal_result steal(worker& thief, unsigned home, unsigned victim, task& next, std::size_t& more) {
    Queue& from = queues_[victim];
    const std::size_t seen = from.length_estimate();
    thief.count(trace::counter::steal_attempts);
    if (Rules::probes_first && seen == 0) {
      thief.count(trace::counter::steals_empty);
      return queue::steal_result::empty;
    }
    std::size_t wanted = amount_.of(seen, map_.workers_of(home)) - 1;
    more = Rules::takes_chunk_at_once ? wanted : 0;
    auto found = from.pop_several(thief, next, more, queues_[home]);
    thief.count(trace::counter::victim_locks);
    if (found != queue::steal_result::got) {
      thief.count(trace::counter::steals_lost);
      return found;
    }
    for (; !Rules::takes_chunk_at_once && wanted > 0; --wanted) {
      task single;
      thief.count(trace::counter::victim_locks);
      if (from.template pop<queue::end::opposite>(thief, single) != queue::steal_result::got) break;
      queues_[home].push(thief, single);
      ++more;
    }
    victims_.count_steal(thief, map_.first_workers()[victim], 1 + more);
    return found;
  }

  const parts::shepherd_map map_;
  const steal_amount amount_;
  const parts::victims victims_;
  parts::per_worker<Queue> queues_;       ///< of each shepherd
  parts::per_worker<parts::gate> gates_;  ///< likewise
  parts::per_worker<seat> seats_;
  parts::kept_workers kept_;  ///< in turn: those whose queues others may empty
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
