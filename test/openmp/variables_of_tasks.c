// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that change their variables, in a region with many barriers: what they changed is forgotten when they are gone.
#include "check.h"
#include "memory.h"

#include <omp.h>

enum { rounds = 1000, tasks = 200, megabyte = 1 << 20 };

static void change(int threads) {
  omp_set_num_threads(threads);
  check(omp_get_max_threads() == threads, "a task has %d threads, not %d", omp_get_max_threads(), threads);
}

int main(void) {
  const int n = omp_get_max_threads();
  long before = 0;
#pragma omp parallel num_threads(n)
  {
    omp_set_num_threads(100 + omp_get_thread_num());
    for (int round = 0; round < rounds; ++round) {
#pragma omp single
      for (int i = 0; i < tasks; ++i) {
#pragma omp task
        change(2 + i);
      }
      check(omp_get_max_threads() == 100 + omp_get_thread_num(), "member %d has %d threads", omp_get_thread_num(),
            omp_get_max_threads());
#pragma omp barrier
#pragma omp single
      {
        if (round == rounds / 10) before = memory_bytes(1);
      }
    }
  }
  const long grown = memory_bytes(1) - before;
  check(grown < 5 * megabyte, "the tasks' variables have grown by %ld bytes", grown);
  check(omp_get_max_threads() == n, "outside there are %d threads, not %d", omp_get_max_threads(), n);
  return 0;
}
