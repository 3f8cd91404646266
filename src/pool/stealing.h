// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/queue_options.h"
#include "pool/parts/victims.h"
#include "pool/pool.h"
#include "queue/inbox.h"

namespace TEFF_NAMESPACE::pool {

/// A queue per worker, from which the others steal when their own is empty.
///
/// Source: Korch & Rauber 2002, §3.5, Table 2 (dq2, dq7: from the working end; dq5, dq6: from the opposite end; dq4: from the
///   working ends of its two queues).
/// Differs: an empty queue is seen without taking its lock; the order of victims and the amount of a steal are settings (the
///   paper's one task from a neighbour is the default); tasks from outside wait in an inbox.
/// Idea: owners work depth first at one end. A thief at the opposite end takes the oldest task, which tends to be the root of a
///   large subtree; at the working end it takes what the owner would have run next.
/// Invariants: each queue's; no thread holds locks of two queues.
/// Cost: the queue's locks per put and get (one; with locked tasks two and three), uncontended unless somebody steals; a search:
///   one load per queue. Space and order: the queue's; with one LIFO queue at most the sum of the workers' serial spaces.
/// Considered: thieves that lock a victim before they look: see queue::locked.
/// Good for: irregular work with tasks of a microsecond and more. Bad for: tiny tasks: a lock per operation.
template <class Queue, queue::end StealFrom>
class stealing {
 public:
  static_assert(StealFrom == queue::end::working || Queue::has_opposite_end);
  static constexpr pool_traits traits{
      .uses = {Queue::uses, {"steal", "victims", "wake"}},
      .task_block_bytes = [](const settings&) { return Queue::block_bytes(); },
  };

  explicit stealing(const environment& from)
      : workers_(from.workers),
        amount_(from.set.steal),
        victims_(from),
        queues_(from.workers, parts::queue_options(from, parts::queues_per_worker(from, published_queues))) {
    for (unsigned id = 0; id < workers_; ++id) {
      if constexpr (requires { queues_[id].name(lock_label{}); }) queues_[id].name(lock_label::of(guarded::queue, id));
    }
  }

  advice init(worker& first, task ready) { return put(first, ready); }
  advice put(worker& current, task ready) { return parts::advise(queues_[current].push(current, ready)); }
  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    if (how == reach::own) return get_result::of(get_at_once(current, next));
    auto found = queues_[current].template pop<queue::end::working>(current, next);
    if (found == queue::steal_result::got || inbox_.pop(next)) return get_result::got;
    bool lost = found == queue::steal_result::lost;
    std::size_t more = 0;
    const bool stolen = victims_.for_each(current, [&](unsigned victim) {
      found = steal(current, victim, next, more);
      lost |= found == queue::steal_result::lost;
      return found == queue::steal_result::got;
    });
    if (stolen) return {get_result::got, more > 0 ? advice::wake_one : advice::wake_none};
    return lost ? get_result::retry : get_result::empty;
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    if (queues_[current].take_if(current, wanted, taken)) return get_result::got;
    if (how == reach::own) return get_result::empty;
    return get_result::of(inbox_.take_if(wanted, taken) || victims_.for_each(current, [&](unsigned victim) {
      return queues_[victim].take_if(current, wanted, taken);
    }));
  }

  pool_statistics statistics() const {
    return {queues_.sum([](const Queue& own) { return own.peak(); }),
            queues_.sum([](const Queue& own) { return own.lock_waits(); }),
            queues_.sum([](const Queue& own) { return own.array_bytes(); }),
            queues_.sum([](const Queue& own) { return own.overflows(); })};
  }
  void reset_statistics() {
    queues_.for_each([](Queue& own) { own.reset_statistics(); });
  }

 private:
  static constexpr std::uint32_t published_queues = 2;  ///< of dq4

  bool get_at_once(worker& current, task& next) {
    if constexpr (requires { queues_[current].template try_pop<queue::end::working>(current, next); })
      return queues_[current].template try_pop<queue::end::working>(current, next) == queue::steal_result::got;
    else return false;
  }

  queue::steal_result steal(worker& thief, unsigned victim, task& next, std::size_t& more) {
    auto& from = queues_[victim];
    const std::size_t amount = amount_.of(from.length_estimate(), workers_);
    const auto found = from.template pop<StealFrom>(thief, next);
    parts::count_attempt(thief, found);
    if (found != queue::steal_result::got) return found;
    if (amount > 1) more = from.template move_to<StealFrom>(thief, queues_[thief], amount - 1);
    victims_.count_steal(thief, victim, 1 + more);
    return found;
  }

  const unsigned workers_;
  const steal_amount amount_;
  const parts::victims victims_;
  parts::per_worker<Queue> queues_;
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
