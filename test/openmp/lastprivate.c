// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lastprivate leaves behind, of loops whose iterations come in any order: gcc writes it back in the thread whose last chunk
// ended where the loop does. Some iterations of one thread are long, so that the others come to what it has taken.
#include "check.h"

#include <omp.h>

enum { rounds = 100, most = 1600 };
static double values[most];

static void work(int i, int n) {
  if (omp_get_num_threads() == 1 || omp_get_thread_num() != 0 || i <= n / 2 || i % 50 != 0) return;
  const double end = omp_get_wtime() + 100e-6;
  while (omp_get_wtime() < end) {
  }
}

static void loops(int n) {
  int i, last = -1;
#pragma omp parallel for schedule(dynamic) lastprivate(i, last)
  for (i = 0; i < n; ++i) {
    work(i, n);
    last = i;
  }
  check(i == n && last == n - 1, "a loop of %d iterations leaves its variable at %d, and lastprivate at %d", n, i, last);
  last = -1;
#pragma omp parallel
#pragma omp for schedule(nonmonotonic : dynamic, 3) lastprivate(last)
  for (int k = 0; k < n; ++k) {
    work(k, n);
    last = k;
  }
  check(last == n - 1, "a loop of %d iterations in chunks of 3 leaves lastprivate at %d", n, last);
}

static void loops_over_long_numbers(unsigned long long n) {
  unsigned long long last = 0;
#pragma omp parallel for schedule(dynamic) lastprivate(last)
  for (unsigned long long i = n; i > 0; --i) {
    work((int)(n - i), (int)n);
    last = i;
  }
  check(last == 1, "a loop of %llu iterations downwards leaves lastprivate at %llu", n, last);
}

/// The variable of a simd loop is lastprivate.
static void simd_loops(int n) {
  int i;
#pragma omp parallel for simd schedule(dynamic)
  for (i = 0; i < n; ++i) {
    double x = i;
    if (i > n / 2 && i % 50 == 0)
      for (int k = 0; k < 20000; ++k) x = x * 1.0000001 + k;
    values[i] = x;
  }
  check(i == n, "a simd loop of %d iterations leaves its variable at %d", n, i);
}

int main(void) {
  for (int round = 0; round < rounds; ++round) {
    const int n = most - 8 + round % 7;
    loops(n);
    loops_over_long_numbers((unsigned long long)n);
    simd_loops(n);
  }
  return 0;
}
