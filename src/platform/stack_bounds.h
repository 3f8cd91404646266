// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>

namespace TEFF_NAMESPACE::platform {

/// Where a stack lies; empty if that is not known.
struct stack_bounds {
  const char* bottom = nullptr;
  std::size_t bytes = 0;

  bool holds(const char* address) const { return address >= bottom && address < bottom + bytes; }
  /// Returns: how many bytes are in use if this is the stack pointer. Pre: holds(pointer).
  std::size_t used(const char* pointer) const { return static_cast<std::size_t>(bottom + bytes - pointer); }
};

}  // namespace TEFF_NAMESPACE::platform
