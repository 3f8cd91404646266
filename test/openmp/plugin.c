// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library that plugin_host.c loads while it runs.
#include <omp.h>

int sum_in_parallel(int n, int members) {
  int sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task shared(sum)
    {
#pragma omp atomic
      sum += i;
    }
  }
  return sum;
}
