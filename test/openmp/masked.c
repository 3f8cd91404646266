// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// masked (with and without filter) and master.
#include "check.h"

#include <omp.h>

int main(void) {
  const int n = omp_get_max_threads();
  int first = -1, last = -1, old = -1, runs = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp masked
    {
      first = omp_get_thread_num();
      add(&runs, 1);
    }
#pragma omp masked filter(omp_get_num_threads() - 1)
    {
      last = omp_get_thread_num();
      add(&runs, 1);
    }
#pragma omp master
    {
      old = omp_get_thread_num();
      add(&runs, 1);
    }
#pragma omp masked filter(n)
    add(&runs, 100);
  }
  check(first == 0 && old == 0 && last == n - 1, "masked ran on members %d and %d, master on %d", first, last, old);
  check(runs == 3, "masked and master ran %d times, not 3", runs);
  return 0;
}
