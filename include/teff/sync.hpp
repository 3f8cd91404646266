// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects at which tasks and foreign threads wait for one another. They have the names and requirements of the standard library's.
///
/// A task that has to wait is set aside, and its worker does other work; a thread that is no worker parks. It may go on on another worker:
/// docs/howto/wait-and-lock.md.
#pragma once

#include "teff/platform.hpp"

#include "sync/mutex.h"

namespace teff::inline TEFF_PLATFORM {

using sync::mutex;
using sync::wait_policy;

}  // namespace teff::inline TEFF_PLATFORM
