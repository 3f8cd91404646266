// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compat/openmp/entry.h"
#include "compat/openmp/tasks.h"

namespace TEFF_NAMESPACE::openmp {

/// The bits of the flags of GOMP_task and GOMP_taskloop.
struct task_flags {
  enum : unsigned {
    untied = 1 << 0,
    final = 1 << 1,
    mergeable = 1 << 2,
    depend = 1 << 3,
    priority = 1 << 4,
    up = 1 << 8,
    grainsize = 1 << 9,
    if_true = 1 << 10,
    no_group = 1 << 11,
    reduction = 1 << 12,
    detach = 1 << 13,
    strict = 1 << 14,
    of_task = untied | final | mergeable | priority,  ///< those that GOMP_task knows
  };
};

/// Effect: a taskgroup begins in the running task.
void begin_group(member& current);
/// Effect: the innermost taskgroup ends: waits for its tasks and all their descendants.
void end_group(member& current);

}  // namespace TEFF_NAMESPACE::openmp
