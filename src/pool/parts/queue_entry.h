// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/access_cost.h"
#include "pool/parts/queue_rules.h"
#include "pool/parts/run_queue_tree.h"

#include <utility>

namespace TEFF_NAMESPACE::pool::parts {

/// Where new tasks come into run queues: at the root, or at a leaf, by turn, at random, or where fewest wait.
///
/// Source: Dandamudi & Cheng 1996, §3 (assignment strategies; the distributed organisation is embedded in the hierarchical one).
/// Invariants: one lock is held at a time.
template <class Rules>
class queue_entry {
 public:
  queue_entry(run_queue_tree& queues, organisation shape, const settings& set, const access_cost& cost, std::uint64_t seed)
      : queues_(queues),
        at_leaf_(shape == organisation::distributed || (shape == organisation::hierarchical && set.entry == entry_queue::leaf)),
        assign_(set.assign),
        cost_(cost),
        seed_(seed) {}

  bool is_at_leaf() const { return at_leaf_; }

  struct entered {
    run_queue& into;
    bool was_empty;
  };
  /// Effect: adds a worker's task.
  TEFF_NOT_ANALYSED entered add(queue_lock::place& place, queued_task* made) {
    task_chain one;
    one.add(made);
    run_queue& into = queue_for(take_turns(1));
    cost_.travel();
    into.lock.acquire(place);
    cost_.hold();
    const bool was_empty = into.insert(one);
    into.lock.release(place);
    cost_.travel();
    return {into, was_empty};
  }

  /// Effect: adds what came together from outside, to the root by one access, or to leaves, each of which is visited. A front end
  /// is at all of them at the same time, so that one access is paid for. Returns: where the last one went. Pre: there are some.
  TEFF_NOT_ANALYSED run_queue& add_from_outside(const task_chain& added) {
    queue_lock::place place;
    std::uint64_t turn = take_turns(added.count);
    bool is_paid = false;
    const auto insert = [&](run_queue& into, const task_chain& some) TEFF_NOT_ANALYSED {
      into.lock.acquire(place);
      if (!std::exchange(is_paid, true)) cost_.hold_from_outside();
      into.insert(some);
      into.lock.release(place);
    };
    if (!at_leaf_) {
      insert(queues_.root(), added);
      return queues_.root();
    }
    run_queue* into = nullptr;
    for (queued_task* each = added.first; each != nullptr;) {
      task_chain one;
      one.add(std::exchange(each, each->next));
      into = &queue_for(turn++);
      insert(*into, one);
    }
    return *into;
  }

 private:
  std::uint64_t take_turns(std::uint32_t tasks) {
    return at_leaf_ ? turn_.fetch_add(tasks, platform::relaxed) : 0;  // relaxed: only numbers go by it
  }

  run_queue& queue_for(std::uint64_t turn) {
    if (!at_leaf_) return queues_.root();
    const unsigned leaves = queues_.leaves();
    const auto first = static_cast<unsigned>(turn % leaves);
    if (assign_ == assignment::random) return queues_[platform::random(seed_ + turn * 0x1000003).below(leaves)];
    if (assign_ == assignment::turn) return queues_[Rules::takes_turns ? first : 0];
    // Of several that are as short, the one whose turn comes first.
    unsigned shortest = first;
    for (unsigned step = 1; step < leaves; ++step) {
      const unsigned candidate = (first + step) % leaves;
      if (queues_[candidate].ready_estimate() < queues_[shortest].ready_estimate()) shortest = candidate;
    }
    return queues_[shortest];
  }

  run_queue_tree& queues_;
  const bool at_leaf_;
  const assignment assign_;
  const access_cost cost_;
  const std::uint64_t seed_;
  platform::atomic<std::uint64_t> turn_{0};
};

}  // namespace TEFF_NAMESPACE::pool::parts
