// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The long task gives its processor away, so that the others may be on it.
#include "long_task.h"

#include <omp.h>

int main(void) {
  const int n = omp_get_max_threads();
  if (n == 1) return 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int ran = run_long_task_beside_others(n, sched_yield);
    check(ran == beside_long_task, "%d tasks ran, not %d", ran, beside_long_task);
  }
  return 0;
}
