// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/sim.h"
#include "sim/wait_lists.h"

#include <string>

namespace TEFF_NAMESPACE::sim {

/// Returns: what a run that did not finish says: how it ended, what each processor waits for and since when, and the line that
/// replays it.
std::string report(const outcome& ended, const options& used, const processor_table& processors, const processor& last);

/// Returns: the line, with its end, that says how to run this run again.
std::string replay_line(const options& used, const outcome& ended);

}  // namespace TEFF_NAMESPACE::sim
