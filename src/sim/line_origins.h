// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::sim {

/// Where lines that were touched came from.
struct line_origins {
  std::uint64_t own = 0;     ///< the processor's own cache
  std::uint64_t domain = 0;  ///< another cache of its domain
  std::uint64_t others = 0;  ///< a cache of another domain
  std::uint64_t memory = 0;
  std::uint64_t far_memory = 0;  ///< of these, from memory that is not the nearest
};

}  // namespace TEFF_NAMESPACE::sim
