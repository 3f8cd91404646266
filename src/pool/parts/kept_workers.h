// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/per_worker.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool::parts {

/// Which workers a task keeps waiting, so that they do not come to what lies where they alone look: others take it meanwhile.
///
/// Invariants: a worker is kept from its call of begin to its next call of end. `count_` is the number of those that are.
/// Cost: for who is not kept, a load of its own line per look, and one more where nothing is found.
class kept_workers {
 public:
  explicit kept_workers(unsigned workers) : of_(workers) {}

  /// Effect: this worker is kept. What was inserted for it alone before is seen by the caller; of what comes later, who inserts
  /// sees that it is kept. Returns: whether it was not yet.
  bool begin(const worker& current) {
    auto& own = of_[current].is_kept;
    // relaxed: its own; others read it as a hint, ordered by the fence.
    const bool is_new = !own.load(platform::relaxed);
    if (is_new) {
      own.store(true, platform::relaxed);
      count_.fetch_add(1, platform::relaxed);
    }
    // Either this fence comes before the one in opens, and who inserts sees that the worker is kept; or after it, and what was
    // inserted is seen here.
    platform::fence(platform::seq_cst);
    return is_new;
  }
  void end(const worker& current) {
    auto& own = of_[current].is_kept;
    if (!own.load(platform::relaxed)) return;  // relaxed: its own
    own.store(false, platform::relaxed);       // relaxed: a hint for others
    count_.fetch_sub(1, platform::relaxed);
  }

  /// Whether somebody is kept. A hint.
  bool anybody() const { return count_.load(platform::relaxed) != 0; }
  /// The same, of who has inserted something. Cost: a fence.
  bool opens() const {
    platform::fence(platform::seq_cst);  // see begin
    return anybody();
  }
  /// Of who has inserted something for that worker: whether it is kept. Cost: likewise.
  bool opens(unsigned to) {
    platform::fence(platform::seq_cst);              // see begin
    return of_[to].is_kept.load(platform::relaxed);  // relaxed: ordered by the fence
  }

  /// Effect: calls visit(worker) for those that are kept, until it returns true. Returns: whether it did.
  template <class Visitor>
  bool for_each(Visitor visit) {
    if (!anybody()) return false;
    for (unsigned id = 0; id < of_.size(); ++id) {
      // relaxed: ordered by the fences of who was woken for this
      if (of_[id].is_kept.load(platform::relaxed) && visit(id)) return true;
    }
    return false;
  }

 private:
  struct alignas(cache_line_bytes) mark {
    platform::atomic<bool> is_kept{false};
  };

  per_worker<mark> of_;
  platform::atomic<std::uint32_t> count_{0};
};

}  // namespace TEFF_NAMESPACE::pool::parts
