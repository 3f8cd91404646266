// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "platform/thread_safety.h"

#include <cstdint>
#include <string>
#include <utility>

namespace TEFF_NAMESPACE::pool::wrap {

/// What was against the contract. Owned by the test; outlives the pool. Threads: any.
class violations {
 public:
  void add(std::string what) {
    platform::lock_guard guard(lock_);
    if (count_++ == 0) first_ = std::move(what);
  }
  std::uint64_t count() const {
    platform::lock_guard guard(lock_);
    return count_;
  }
  /// Returns: the first one, as a sentence; an empty text if there was none.
  std::string first() const {
    platform::lock_guard guard(lock_);
    return first_;
  }

 private:
  mutable platform::lock lock_;
  std::uint64_t count_ TEFF_GUARDED_BY(lock_) = 0;
  std::string first_ TEFF_GUARDED_BY(lock_);
};

}  // namespace TEFF_NAMESPACE::pool::wrap
