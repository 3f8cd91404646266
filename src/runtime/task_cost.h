// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <string>

namespace TEFF_NAMESPACE::runtime {

/// Returns: what an empty task costs on one worker of the default pool with that memory manager, in thousandths of ns: its block
/// of memory, its way through the private queue, its call and its counts. 0 if it cannot be measured here and now: in simulation,
/// inside of a task, and while refusals are planted.
/// Threads: any. Cost: some 100 µs at the first call for a manager, then a load.
std::uint64_t task_cost_ps(const std::string& memory);

}  // namespace TEFF_NAMESPACE::runtime
