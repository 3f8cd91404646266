// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <atomic>

namespace TEFF_NAMESPACE::platform {

using order = std::memory_order;
inline constexpr order relaxed = std::memory_order_relaxed;
inline constexpr order acquire = std::memory_order_acquire;
inline constexpr order release = std::memory_order_release;
inline constexpr order acq_rel = std::memory_order_acq_rel;
inline constexpr order seq_cst = std::memory_order_seq_cst;

}  // namespace TEFF_NAMESPACE::platform
