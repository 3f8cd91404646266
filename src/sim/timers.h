// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/chooser.h"
#include "sim/model_memory.h"
#include "sim/operation.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Waits that end at a time. A timer whose wait ended otherwise stays until it is found out of date.
class timers {
 public:
  struct timer {
    std::uint64_t deadline;  ///< cycles
    processor_id which;
    std::uint64_t wait;  ///< processor::waits when it was set
  };

  void reset() { heap_.clear(); }

  void set(const timer& added) {
    heap_.push_back(added);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  /// Returns: chooser::never if no timer is set.
  std::uint64_t earliest() const { return heap_.empty() ? chooser::never : heap_.front().deadline; }

  timer take_earliest() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const timer taken = heap_.back();
    heap_.pop_back();
    return taken;
  }

 private:
  static bool later(const timer& a, const timer& b) {
    return a.deadline != b.deadline ? a.deadline > b.deadline : a.which > b.which;
  }

  std::vector<timer, model_memory<timer>> heap_;
};

}  // namespace TEFF_NAMESPACE::sim
