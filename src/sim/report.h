// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/sim.h"
#include "sim/wait_lists.h"

#include <string>

namespace teff::inline TEFF_PLATFORM::sim {

/// Returns: what a run that did not finish says: how it ended, what each processor waits for and since when, and the line that
/// replays it.
std::string report(const outcome& ended, const options& used, const processor_table& processors, const processor& last);

}  // namespace teff::inline TEFF_PLATFORM::sim
