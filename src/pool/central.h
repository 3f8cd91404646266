// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/queue_options.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/lifo_list.h"

namespace TEFF_NAMESPACE::pool {

template <class Queue>
concept is_fifo = requires { Queue::is_fifo; };

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
  static constexpr pool_traits traits{
      .uses = {Queue::uses, {"wake"}},
      .task_block_bytes = [](const settings&) { return Queue::block_bytes(); },
      // First come, first served: a waiting task's children have their turn behind all others.
      .suspends_waiters = TakeFrom == queue::end::opposite || is_fifo<Queue>,
  };

  explicit central(const environment& from)
      : queue_(parts::queue_options(from, parts::queues_per_worker(from, published_queues_per_worker) * from.workers)) {
    if constexpr (requires { queue_.name(lock_label{}); }) queue_.name(lock_label::of(guarded::central_queue));
  }

  advice init(worker& first, task ready) { return put(first, ready); }
  advice put(worker& current, task ready) { return parts::advise(queue_.push(current, ready)); }
  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    if (how == reach::own) return get_result::of(get_at_once(current, next));
    const auto found = queue_.template pop<TakeFrom>(current, next);
    if (found == queue::steal_result::got || inbox_.pop(next)) return get_result::got;
    return found == queue::steal_result::lost ? get_result::retry : get_result::empty;
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach) {
    return get_result::of(queue_.take_if(current, wanted, taken) || inbox_.take_if(wanted, taken));
  }

  void close(worker& current)
    requires requires(Queue& closed) { closed.close(current); }
  {
    queue_.close(current);
  }

  pool_statistics statistics() const { return {queue_.peak(), queue_.lock_waits(), queue_.array_bytes(), queue_.overflows()}; }
  void reset_statistics() { queue_.reset_statistics(); }

 private:
  static constexpr std::uint32_t published_queues_per_worker = 4;  ///< of the randomised pools

  bool get_at_once(worker& current, task& next) {
    if constexpr (requires { queue_.template try_pop<TakeFrom>(current, next); })
      return queue_.template try_pop<TakeFrom>(current, next) == queue::steal_result::got;
    else return false;
  }

  Queue queue_;
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
