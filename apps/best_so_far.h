// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// The greatest number that any task of a search has found. Threads: any. [best] relaxed: a hint to all but who waits for the
/// tasks, and the wait carries it along; a task that sees a lesser one only searches longer.
class best_so_far {
 public:
  // [best] of all three.
  void clear(std::int64_t to) { __atomic_store_n(&value_, to, __ATOMIC_RELAXED); }
  std::int64_t get() const { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  void raise_to(std::int64_t found) {
    std::int64_t known = get();
    while (known < found && !__atomic_compare_exchange_n(&value_, &known, found, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

 private:
  std::int64_t value_ = 0;
};

}  // namespace TEFF_NAMESPACE::apps
