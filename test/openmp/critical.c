// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// critical: unnamed, named, with a hint; different names do not exclude one another.
#include "check.h"

#include <omp.h>

static int inside, sum;

static void turn(const char* where) {
  be_alone(&inside, where);
  sum += 1;
}

static void unnamed(void) {
#pragma omp critical
  turn("critical");
}

static void named(void) {
#pragma omp critical(one) hint(omp_sync_hint_contended)
  turn("critical(one)");
}

static void take_turns(void (*take)(void), int n) {
  int arrived = 0;
  sum = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) take();
  }
  check(sum == 5 * n, "critical ran %d times, not %d", sum, 5 * n);
}

/// Three regions of different names are entered by three members at the same time.
static void names_differ(void) {
  int arrived = 0;
#pragma omp parallel num_threads(3)
  switch (omp_get_thread_num()) {
    case 0:
#pragma omp critical
      meet(&arrived, 3);
      break;
    case 1:
#pragma omp critical(one)
      meet(&arrived, 3);
      break;
    default:
#pragma omp critical(two)
      meet(&arrived, 3);
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  take_turns(unnamed, n);
  take_turns(unnamed, 4);
  take_turns(named, n);
  take_turns(named, 4);
  names_differ();
  return 0;
}
