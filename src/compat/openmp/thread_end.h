// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that end inside of regions: README.md, Other people's processes.
#pragma once

#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

/// Effect: of a region with others, whose opener's thread ends: what lies on its stack stays there as long as these use it, but
/// for half a second at most. The end is said, if it is the process' first one. Threads: the opener, whose stack is unwound to
/// the region.
void unwind_from(team& left);

/// Effect: gives back what a thread has. One that ends inside of regions with others is told of as above, and goes only when
/// nobody uses its stack for those that it opened: of that, the end of the thread has overwritten some by now. Blocks: for ever,
/// if another member waits for it otherwise than in a barrier, or a task's event is never fulfilled. `itself`: its os_thread, or
/// nullptr. For platform::at_thread_end. Threads: the one that ends.
void end_thread(void* itself);

}  // namespace TEFF_NAMESPACE::openmp
