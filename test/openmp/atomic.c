// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic: what gcc does in place, and what it does between two calls of the runtime because the processor cannot.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

enum { rounds = 300 };

static void in_place(int n) {
  int sum = 0, last = 0;
  double real = 0;
#pragma omp parallel num_threads(n)
  for (int i = 0; i < rounds; ++i) {
    int seen;
#pragma omp atomic
    ++sum;
#pragma omp atomic update
    real += 0.5;
#pragma omp atomic read
    seen = sum;
#pragma omp atomic write seq_cst
    last = 1;
#pragma omp atomic capture
    seen = last++;
    check(seen >= 0, "an atomic read gave %d", seen);
  }
  check(sum == rounds * n && real == 0.5 * rounds * n, "atomic updates are lost: %d and %g", sum, real);
}

/// 80-bit numbers: gcc calls GOMP_atomic_start and GOMP_atomic_end.
static void by_the_runtime(int n) {
  long double sum = 0;
  int arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < rounds; ++i) {
#pragma omp atomic
      sum += 1;
    }
  }
  check(sum == (long double)rounds * n, "atomic updates of a long double are lost: %Lg", sum);
}

static void excludes(int n) {
  int inside = 0, arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) {
      GOMP_atomic_start();
      be_alone(&inside, "atomic");
      GOMP_atomic_end();
    }
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  in_place(n);
  by_the_runtime(n);
  excludes(n);
  excludes(4);
  return 0;
}
