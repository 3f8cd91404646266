// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/queue_options.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/lifo_list.h"

namespace teff::inline TEFF_PLATFORM::pool {

/// One queue for all workers.
///
/// Source: Korch & Rauber 2002, §3.1, §3.2, Table 2 (sq1, sq2, sq3, sq4, and rq1, rq2, rq3, by the queue they are given).
/// Differs: an empty queue is seen without taking its lock; tasks from outside wait in an inbox of their own, which is looked at
///   when the queue is empty.
/// Idea: every put and get goes to the same queue, whose locks are its own business.
/// Invariants: the queue's. Cost: the queue's locks; contention grows with the workers. Space: S1 of the queue's order: LIFO
///   the depth of the task tree times its branching; FIFO its breadth. Order: the queue's.
/// Good for: few workers and long tasks. Bad for: short tasks: all workers wait for one lock.
/// Considered: the inbox inside the queue: its nodes need a worker's memory, which a foreign thread has not.
template <class Queue, queue::end TakeFrom = queue::end::working>
class central {
 public:
  static constexpr auto uses = queue::joined_names(Queue::uses, std::array{"wake", "wait", "stack", "outside"});

  /// First come, first served: a waiting task's children have their turn behind all others.
  static constexpr bool waiters_suspend_at_once = TakeFrom == queue::end::opposite || requires { Queue::is_fifo; };

  explicit central(const environment& from)
      : queue_(parts::queue_options(from, parts::queues_per_worker(from, published_queues_per_worker) * from.workers)) {}

  static std::size_t task_block_bytes(const settings&) { return Queue::block_bytes(); }

  advice init(worker& first, task ready) { return put(first, ready); }
  advice put(worker& current, task ready) { return parts::advise(queue_.push(current, ready)); }
  advice inject(task ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next) {
    const auto found = queue_.template pop<TakeFrom>(current, next);
    if (found == queue::steal_result::got || inbox_.pop(next)) return get_result::got;
    return found == queue::steal_result::lost ? get_result::retry : get_result::empty;
  }

  bool get_at_once(worker& current, task& next)
    requires requires(Queue& tried) { tried.template try_pop<TakeFrom>(current, next); }
  {
    return queue_.template try_pop<TakeFrom>(current, next) == queue::steal_result::got;
  }

  bool take_back(worker& current, task own) {
    return get_if(current, [&](const task& candidate) { return candidate == own; }, own);
  }

  template <class Predicate>
  bool get_if(worker& current, Predicate wanted, task& taken) {
    return queue_.take_if(current, wanted, taken) || inbox_.take_if(wanted, taken);
  }

  void close(worker& current) {
    if constexpr (requires { queue_.close(current); }) queue_.close(current);
  }

  std::uint64_t peak_live_tasks() const { return queue_.peak(); }
  std::size_t array_bytes() const { return queue_.array_bytes(); }
  std::uint64_t overflows() const { return queue_.overflows(); }
  std::uint64_t lock_waits() const { return queue_.lock_waits(); }
  void reset_statistics() { queue_.reset_statistics(); }

 private:
  static constexpr std::uint32_t published_queues_per_worker = 4;  ///< of the randomised pools

  Queue queue_;
  queue::inbox inbox_;
};

}  // namespace teff::inline TEFF_PLATFORM::pool
