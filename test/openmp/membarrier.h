// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a thread can make the others pass a fence. Else the default pool makes every task visible to others at once.
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int has_membarrier(void) { return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0; }
