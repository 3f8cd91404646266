// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// Refusals that a test plants, so that exhausted resources can be tested without exhausting them. Negative: none planted.
/// Threads: set while no team exists; read by every thread.
struct faults {
  std::int64_t allocations_until_refusal = -1;  ///< this many more system_allocate succeed, all later ones are refused
  std::int64_t threads_until_refusal = -1;      ///< likewise for thread::start
  bool no_fence_everywhere = false;             ///< fence_everywhere fails
};

}  // namespace TEFF_NAMESPACE::platform
