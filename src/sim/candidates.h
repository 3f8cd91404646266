// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/chooser.h"
#include "sim/model_memory.h"

#include <algorithm>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// The processors that could run, in no order that matters: for strategies that do not go by the clock.
class candidates {
 public:
  struct candidate {
    processor_id which;
    std::uint64_t clock;
  };

  bool empty() const { return list_.empty(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(list_.size()); }
  const candidate& operator[](std::size_t index) const { return list_[index]; }

  void add(processor_id which, std::uint64_t clock) { list_.push_back({which, clock}); }

  /// Effect: puts another one in the place of one. Returns: who was there.
  processor_id replace(std::size_t index, processor_id which, std::uint64_t clock) {
    const processor_id taken = list_[index].which;
    list_[index] = {which, clock};
    return taken;
  }

  processor_id take(std::size_t index) {
    const processor_id taken = list_[index].which;
    list_[index] = list_.back();
    list_.pop_back();
    return taken;
  }

  /// Returns: the index of the one for which `better(one, other)` holds against all others. Pre: not empty.
  template <class Better>
  std::size_t best(Better better) const {
    return static_cast<std::size_t>(std::min_element(list_.begin(), list_.end(), better) - list_.begin());
  }

  std::uint64_t earliest() const {
    std::uint64_t found = chooser::never;
    for (const candidate& one : list_) found = std::min(found, one.clock);
    return found;
  }

 private:
  std::vector<candidate, model_memory<candidate>> list_;
};

}  // namespace TEFF_NAMESPACE::sim
