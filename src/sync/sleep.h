// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// Effect: returns when the deadline (of platform::now_ns) has passed; at once if it has. Threads: tasks and foreign threads.
/// Blocks: the fiber, whatever the default policy is; a foreign thread. Cost: for a task a timer and being set aside; no lock that
/// others take.
void sleep_until(std::uint64_t deadline_ns);

}  // namespace TEFF_NAMESPACE::sync
