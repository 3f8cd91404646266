// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::sim {

/// What a virtual processor does at a scheduling point. The numbers go into the hash of a run.
enum class operation : std::uint8_t {
  load,
  store,
  read_modify_write,
  fence,
  pause,
  clock,
  charge,
  park,
  wake,
  start,
  join,
  fence_everywhere,
};

/// A virtual processor while it exists; numbers are given again after a join.
using processor_id = std::uint16_t;
inline constexpr processor_id nobody = 0xffff;

/// Virtual processors that may exist at once. Beyond the 1,024 places of a machine, so that a full team and the threads that
/// drive it fit.
inline constexpr unsigned processors_at_once = 2048;
inline constexpr unsigned places_at_most = 1024;

}  // namespace TEFF_NAMESPACE::sim
