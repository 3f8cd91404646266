// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that end: README.md, Other people's processes.
#pragma once

#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

/// Effect: says that a thread ends inside of a region that it opened, and waits until the others use nothing any more that lies on
/// its stack. Blocks: for ever, if one of them waits for the opener otherwise than in a barrier. Threads: the one that ends.
void await_others(member& opener);

/// Effect: gives back what a thread has; one that ends inside of a region is told of, and awaits the others of those that it opened.
/// Of its stack the end of the thread may use by now what the region's data lay in: where the stack is unwound, it has awaited them
/// before. `itself`: its os_thread, or nullptr. For platform::at_thread_end. Threads: the one that ends.
void end_thread(void* itself);

}  // namespace TEFF_NAMESPACE::openmp
