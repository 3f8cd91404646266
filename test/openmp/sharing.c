// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that lasts until all others have run: who waits in the barrier must get at what its thread keeps to itself, however it
// waits.
#include "check.h"

#include <omp.h>

enum { others = 7 };

static void last(int* ran) {
  while (load(ran) < others) sched_yield();
}

int main(void) {
  const int n = omp_get_max_threads();
  if (n == 1) return 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp master
    {
      for (int i = 0; i < others; ++i) {
#pragma omp task shared(ran)
        add(&ran, 1);
      }
#pragma omp task shared(ran)
      last(&ran);
    }
    check(ran == others, "%d tasks ran, not %d", ran, others);
  }
  return 0;
}
