// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/queue_options.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/lifo_list.h"
#include "queue/locked.h"

namespace TEFF_NAMESPACE::tutorial {

/// Several stacks for all workers; of two random ones, put takes the shorter and get the longer.
///
/// Source: none for tasks; two choices instead of one keep random queues about equally long (Azar et al. 1994).
/// Idea: contention is spread over twice as many stacks as there are workers, and no worker owns one.
/// Invariants: each stack's, under its lock; no thread holds two locks.
/// Cost: two loads and one lock per put and get; a search: one load per stack. Space: unbounded by S1. Order: none promised.
/// Good for: showing how a pool is written (docs/howto/write-a-pool.md). Bad for: locality.
class two_choices {
 public:
 private:
  using stack = queue::locked<queue::list_storage<queue::lifo_list>>;

 public:
  static constexpr pool::pool_traits traits{
      .uses = {"lock", "wake"},
      .task_block_bytes = [](const pool::settings&) { return stack::block_bytes(); },
  };

  explicit two_choices(const pool::environment& from)
      : count_(2 * from.workers), stacks_(count_, pool::parts::queue_options(from, 1)) {}

  pool::advice init(worker& first, task ready) { return put(first, ready); }

  pool::advice put(worker& current, task ready) {
    const auto [shorter, longer] = two_of(current);
    return pool::parts::advise(shorter.push(current, ready));
  }

  pool::advice inject(std::span<const task> ready) { return pool::parts::advise_injection(inbox_.push(ready)); }

  pool::get_result get(worker& current, task& next, pool::reach how) {
    if (how == pool::reach::own) return pool::get_result::empty;
    const auto [shorter, longer] = two_of(current);
    auto found = pop(longer, current, next);
    if (found == queue::steal_result::got || inbox_.pop(next)) return pool::get_result::got;
    // Two empty stacks say nothing about the others: `empty` may be answered after a look at all of them only.
    bool lost = found == queue::steal_result::lost;
    const unsigned first = current.random.below(count_);
    for (unsigned step = 0; step < count_; ++step) {
      found = pop(stacks_[(first + step) % count_], current, next);
      if (found == queue::steal_result::got) return pool::get_result::got;
      lost |= found == queue::steal_result::lost;
    }
    return lost ? pool::get_result::retry : pool::get_result::empty;
  }

  template <class Predicate>
  pool::get_result take(worker& current, Predicate wanted, task& taken, pool::reach) {
    for (unsigned i = 0; i < count_; ++i) {
      if (stacks_[i].take_if(current, wanted, taken)) return pool::get_result::got;
    }
    return pool::get_result::of(inbox_.take_if(wanted, taken));
  }

  pool::pool_statistics statistics() const {
    return {.peak_live_tasks = stacks_.sum([](const stack& each) { return each.peak(); }),
            .lock_waits = stacks_.sum([](const stack& each) { return each.lock_waits(); })};
  }
  void reset_statistics() {
    stacks_.for_each([](stack& each) { each.reset_statistics(); });
  }

 private:
  struct pair {
    stack& shorter;
    stack& longer;
  };
  pair two_of(worker& current) {
    stack& one = stacks_[current.random.below(count_)];
    stack& other = stacks_[current.random.below(count_)];
    return one.length_estimate() < other.length_estimate() ? pair{one, other} : pair{other, one};
  }

  static queue::steal_result pop(stack& from, worker& current, task& next) {
    return from.pop<queue::end::working>(current, next);
  }

  const unsigned count_;
  pool::parts::per_worker<stack> stacks_;  // here an array of any length
  queue::inbox inbox_;
};

static_assert(pool::task_pool<two_choices>);

}  // namespace TEFF_NAMESPACE::tutorial
