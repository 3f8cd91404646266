// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::mem {

/// Whether a list under a lock has blocks, for who would take the lock to see that it has none.
///
/// It is a hint: who sees too late that there are blocks has fresh ones made; who sees too late that there are none finds the
/// list empty. Threads: tell: who holds the list's lock; says_empty: any. Cost: a load; a store only if the answer is another one
/// now.
class alignas(cache_line_bytes) stock_hint {
 public:
  void tell(bool has_some) {
    // relaxed, all: a hint.
    if ((some_.load(platform::relaxed) != 0) != has_some) some_.store(has_some ? 1 : 0, platform::relaxed);
  }
  bool says_empty() const { return some_.load(platform::relaxed) == 0; }

 private:
  platform::atomic<std::uint32_t> some_{0};
};

}  // namespace TEFF_NAMESPACE::mem
