// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/queue_options.h"
#include "pool/pool.h"
#include "queue/inbox.h"

namespace TEFF_NAMESPACE::pool {

/// A private queue per worker and no exchange: each worker processes what it was given and what that creates.
///
/// Source: Korch & Rauber 2002, §3.3, Table 2 (dq1; dq3 with arrays).
/// Differs: tasks from outside wait in an inbox that all workers look at when their own queue is empty.
/// Idea: no shared data, hence no locks: the upper bound for one worker and the lower bound for balance.
/// Invariants: a queue is touched by its worker alone (in the initialisation phase by the one thread that calls init).
/// Cost: no atomic operation. Space: the sum of the workers' serial spaces. Order: LIFO per worker.
/// Considered: no inbox: a task from outside could then go to one worker's queue only, which would need a lock.
/// Good for: work that is distributed evenly beforehand, and as a base line. Bad for: irregular work.
template <class Queue>
class distributed {
 public:
  static constexpr pool_traits traits{
      .uses = {Queue::uses, {"wake"}},
      .task_block_bytes = [](const settings&) { return Queue::block_bytes(); },
      .keeps_to_owners = true,
  };

  explicit distributed(const environment& from) : queues_(from.workers, parts::queue_options(from, 1)) {}

  advice init(worker& first, task ready) { return put(first, ready); }

  advice put(worker& current, task ready) { return queues_[current].push(current, ready) ? advice::wake_none : advice::refused; }
  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    return get_result::of(queues_[current].pop(current, next) || (how != reach::own && inbox_.pop(next)));
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    return get_result::of(queues_[current].take_if(current, wanted, taken) ||
                          (how != reach::own && inbox_.take_if(wanted, taken)));
  }

  pool_statistics statistics() const {
    return {.peak_live_tasks = queues_.sum([](const Queue& own) { return own.peak(); }),
            .array_bytes = queues_.sum([](const Queue& own) { return own.array_bytes(); }),
            .overflows = queues_.sum([](const Queue& own) { return own.overflows(); })};
  }
  void reset_statistics() {
    queues_.for_each([](Queue& own) { own.reset_statistics(); });
  }

 private:
  parts::per_worker<Queue> queues_;
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
