// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Children of fork() inside of a region: README.md, fork.
#pragma once

#include "platform/platform.h"

namespace TEFF_NAMESPACE::openmp {

/// Effect: in the child, the regions around the calling thread are marked as left behind. A handler of fork().
void leave_regions() noexcept;

/// Effect: ends the process so if the innermost region of several threads around the calling one is left behind: who holds the
/// lock for which it is about to wait may be another process' thread. In a region of the child's own it may be one of that.
void end_if_left_behind();
/// Returns: end_forked_child if that is so.
platform::end_of_process look_before_waits();

/// Effect: says that the child came back to a region of its parent, and ends the process with exit code 70.
[[noreturn]] void end_forked_child();

}  // namespace TEFF_NAMESPACE::openmp
