// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that lasts until all others have run: who waits in the barrier must get at what its thread keeps to itself, however it
// waits.
#pragma once

#include "check.h"

enum { beside_long_task = 7 };

/// Returns: how many tasks beside the long one have run in a region of so many members. `pause`: what the long one calls again
/// and again; NULL: nothing.
static inline int run_long_task_beside_others(int members, int (*pause)(void)) {
  int ran = 0;
#pragma omp parallel num_threads(members)
#pragma omp master
  {
    for (int i = 0; i < beside_long_task; ++i) {
#pragma omp task shared(ran)
      add(&ran, 1);
    }
#pragma omp task shared(ran)
    while (load(&ran) < beside_long_task)
      if (pause != NULL) pause();
  }
  return ran;
}
