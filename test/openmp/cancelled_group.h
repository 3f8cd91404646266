// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made in a taskgroup that is cancelled.
#pragma once

#include <stddef.h>

/// Effect: runs BEHIND in a taskgroup, behind what cancels that; BEFORE, if there is one, and the tasks of that before.
static inline void in_cancelled_group(void (*before)(int*), void (*behind)(int*), int* data) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
    if (before != NULL) before(data);
#pragma omp taskwait
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
#pragma omp taskwait
    behind(data);
  }
}

/// The same in a final task, where tasks run at once.
static inline void in_cancelled_final_task(void (*behind)(int*), int* data) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
#pragma omp task final(1)
  {
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
    behind(data);
  }
}
