// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker/totals.h"

#include <string>

namespace TEFF_NAMESPACE::runtime {

/// Returns: what empty tasks cost on one worker of the default pool with that memory manager. Zeros if it cannot be measured here
/// and now: in simulation, inside of a task, and while refusals are planted.
/// Threads: any. Cost: about a millisecond at the first call for a manager, then a load. Owns: nobody, it stays.
const workers::task_costs& costs_of_tasks(const std::string& memory);

}  // namespace TEFF_NAMESPACE::runtime
