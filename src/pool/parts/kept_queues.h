// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/per_worker.h"
#include "pool/parts/run_queue_tree.h"

namespace TEFF_NAMESPACE::pool::parts {

/// Workers that a task keeps waiting, so that they do not come to what is in their queues: others take it meanwhile.
///
/// Invariants: a worker is kept from its call of begin to its next call of end. `count_` is the number of those that are.
/// Considered: moving what it has to others' queues: it is put there with the price of a put, and later ones come to it still.
/// Cost: for who is not kept, a load of its own line per look, and one more where nothing is found.
class kept_queues {
 public:
  kept_queues(run_queue_tree& queues, unsigned workers) : queues_(queues), of_(workers) {}

  /// Effect: this worker is kept. Returns: whether something waits where hardly anybody else looks.
  bool begin(const worker& current) {
    auto& own = of_[current].is_kept;
    // relaxed: its own; others read it as a hint, ordered by the fence.
    if (!own.load(platform::relaxed)) {
      own.store(true, platform::relaxed);
      count_.fetch_add(1, platform::relaxed);
    }
    // Either this fence comes before the one in anybody, and who inserts sees that somebody is kept; or after it, and what was
    // inserted is seen here.
    platform::fence(platform::seq_cst);
    for (const run_queue* at = &queues_.leaf_of(current.id); is_for_some(*at); at = at->parent) {
      if (at->offers(nullptr)) return true;
      if (at->parent == nullptr) break;
    }
    return false;
  }
  void end(const worker& current) {
    auto& own = of_[current].is_kept;
    if (!own.load(platform::relaxed)) return;  // relaxed: its own
    own.store(false, platform::relaxed);       // relaxed: a hint for others
    count_.fetch_sub(1, platform::relaxed);
  }

  /// Whether somebody is kept. A hint.
  bool anybody() const { return count_.load(platform::relaxed) != 0; }
  /// Of who has inserted something into a queue: whether more than those below it may take that. Cost: a fence.
  bool opens(const run_queue& into) const {
    if (!is_for_some(into)) return false;
    platform::fence(platform::seq_cst);  // see begin
    return anybody();
  }

  /// Effect: calls visit(queue) for the queues of those that are kept, but for those that all share, until it returns true.
  /// Returns: whether it did.
  template <class Visitor>
  bool for_each(Visitor visit) {
    if (!anybody()) return false;
    for (unsigned id = 0; id < of_.size(); ++id) {
      if (!of_[id].is_kept.load(platform::relaxed)) continue;  // relaxed: ordered by the fences of who was woken for this
      for (run_queue* at = &queues_.leaf_of(id); at != nullptr && is_for_some(*at); at = at->parent) {
        if (visit(*at)) return true;
      }
    }
    return false;
  }

 private:
  struct alignas(cache_line_bytes) mark {
    platform::atomic<bool> is_kept{false};
  };

  bool is_for_some(const run_queue& of) const { return of.workers() != of_.size(); }

  run_queue_tree& queues_;
  per_worker<mark> of_;
  platform::atomic<std::uint32_t> count_{0};
};

}  // namespace TEFF_NAMESPACE::pool::parts
