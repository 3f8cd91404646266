// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// A value that each worker changes without disturbing the others: a cache line each, found by context::worker_id().
template <class Value>
class per_worker {
 public:
  /// Effect: gives at least so many workers a value, and sets all to Value().
  void clear(unsigned workers) {
    if (cells_.size() < workers) cells_.resize(workers);
    for (cell& each : cells_) each.value = Value();
  }
  Value& operator[](unsigned worker) { return cells_[worker].value; }
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const cell& each : cells_) visit(each.value);
  }

 private:
  struct alignas(64) cell {
    Value value;
  };
  std::vector<cell> cells_;
};

}  // namespace TEFF_NAMESPACE::apps
