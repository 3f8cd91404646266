// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits helps with tasks that are a thousand waits below: two of these do not end before both have begun.
#include "check.h"

#include <omp.h>

static int met;

/// DEPTH tasks, each of which waits for the next, and two at the end.
static void descend(int depth) {
  for (int child = 0; child < (depth == 0 ? 2 : 1); ++child) {
#pragma omp task
    if (depth == 0) meet(&met, 2);
    else descend(depth - 1);
  }
#pragma omp taskwait
}

int main(void) {
  if (omp_get_max_threads() == 1) return 0;
  int begun = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(begun)
    {
      store(&begun, 1);
      descend(1000);
    }
    while (!load(&begun)) sched_yield();  // on another thread
#pragma omp taskwait
    check(load(&met) == 2, "%d of 2 tasks ran before the end of the wait", met);
  }
  return 0;
}
