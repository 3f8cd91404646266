// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What may end in the middle of everything: a thread inside of a task, the process around objects that are in use.
#pragma once

#include "base/namespace.h"

#include <exception>

namespace TEFF_NAMESPACE::platform {

/// Returns: as std::current_exception. Errors: if a thread ends here (pthread_exit, or a cancellation), which passes handlers of
///   everything like an exception that must not be kept, says so and ends the program: the frames below it are not that thread's.
/// Pre: in a handler of everything, which does not rethrow.
std::exception_ptr caught_exception() noexcept;

/// Whether an object has static storage: who destroys it while it is in use ends the process, or closes a library. Cost: a search
/// through the loaded modules.
bool is_static(const void* object) noexcept;

/// Whether the calling thread is inside of exit(), below handlers of atexit or destructors. Cost: a walk up its stack,
/// which ends at code without tables to unwind it by.
bool is_in_exit() noexcept;

}  // namespace TEFF_NAMESPACE::platform
