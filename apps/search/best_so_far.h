// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// The greatest number that any task of a search has found. Threads: any. [best] relaxed: a hint to all but who waits for the
/// tasks, and the wait carries it along; a task that sees a lesser one only searches longer.
class best_so_far {
 public:
  // [best] of all three.
  void clear(std::int64_t to) { value_.store(to, platform::relaxed); }
  std::int64_t get() const { return value_.load(platform::relaxed); }
  void raise_to(std::int64_t found) {
    std::int64_t known = get();
    while (known < found && !value_.compare_exchange(known, found, platform::relaxed)) {
    }
  }

 private:
  platform::atomic<std::int64_t> value_{0};
};

}  // namespace TEFF_NAMESPACE::apps
