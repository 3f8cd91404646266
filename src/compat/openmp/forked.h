// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Children of fork() inside of a region: README.md, fork.
#pragma once

namespace teff::inline TEFF_PLATFORM::openmp {

/// Effect: in the child, the regions around the calling thread are marked as left behind. A handler of fork().
void leave_regions() noexcept;

/// Effect: says that the child came back to a region of its parent, and ends the process with exit code 70.
[[noreturn]] void end_forked_child();

}  // namespace teff::inline TEFF_PLATFORM::openmp
