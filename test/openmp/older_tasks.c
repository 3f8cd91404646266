// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that wait for those made before them, which OpenMP does not promise to run first, go on as with gcc's library: in a
// barrier tasks that make no others begin in the order in which they were made.
#include "check.h"

#include <omp.h>

enum { few = 50, many = 2000, rounds = 20 };

/// Each of COUNT tasks spins until the one before has run.
static void spin_for_older_ones(int members, int count) {
  int* const done = calloc((size_t)count + 1, sizeof *done);
  check(done != NULL, "no memory");
  store(&done[0], 1);
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 1; i <= count; ++i) {
#pragma omp task firstprivate(i)
    {
      while (load(&done[i - 1]) == 0) sched_yield();
      store(&done[i], 1);
    }
  }
  check(load(&done[count]) == 1, "the last of %d tasks did not run", count);
  free(done);
}

int main(void) {
  const int n = omp_get_max_threads();
  for (int round = 0; round < rounds; ++round) {
    // Alone a thread has enough beyond these, and runs the next one at once.
    spin_for_older_ones(n, few);
    if (n > 1) spin_for_older_ones(n, many);
  }
  return 0;
}
