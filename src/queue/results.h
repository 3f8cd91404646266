// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// What an insertion into a shared queue found.
enum class push_result : std::uint8_t {
  refused,  ///< no memory for a node: the queue is unchanged
  added,    ///< the queue had tasks already
  first,    ///< the queue was empty
};

/// What a removal from a shared queue found. Empty is not the same as a lost race: after `lost` another look may succeed.
enum class steal_result : std::uint8_t {
  got,
  empty,  ///< the queue showed no task
  lost,   ///< the queue showed tasks, but others took them first
};

}  // namespace TEFF_NAMESPACE::queue
