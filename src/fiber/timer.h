// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::fibers {

/// Something to do at a time. Owned by who waits for it.
struct timer {
  std::uint64_t deadline_ns;  ///< of platform::now_ns
  void (*fire)(timer& self);
  bool ends_waits = true;  ///< as long as it is pending, something may happen
  static constexpr std::size_t nowhere = ~std::size_t{0};
  std::size_t place = nowhere;  ///< where it lies in the team's timers, whose it is
};

}  // namespace TEFF_NAMESPACE::fibers
