// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "teff/task.hpp"

#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// Effect: in simulation, where plain computation takes no time, takes that many units of charge(), which are cycles of most
/// machines; natively nothing.
inline void simulated_work([[maybe_unused]] std::uint64_t cycles) {
#ifdef TEFF_SIMULATED
  this_task::charge(cycles);
#endif
}

}  // namespace TEFF_NAMESPACE::apps
