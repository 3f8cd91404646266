// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>

namespace TEFF_NAMESPACE {

/// Bytes that one processor writes without disturbing its neighbours. x86-64 prefetches lines in pairs, but one line is
/// the unit of ownership; padding to two was not measurably better and doubles the footprint of 256 workers.
inline constexpr std::size_t cache_line_bytes = 64;

}  // namespace TEFF_NAMESPACE
