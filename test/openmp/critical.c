// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// critical: unnamed, named, with a hint; different names do not exclude one another.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

static void unnamed(int n) {
  int inside = 0, sum = 0, arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) {
#pragma omp critical
      {
        be_alone(&inside, "critical");
        sum += 1;
      }
    }
  }
  check(sum == 5 * n, "critical ran %d times, not %d", sum, 5 * n);
}

static void named(int n) {
  int inside = 0, sum = 0, arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) {
#pragma omp critical(one) hint(omp_sync_hint_contended)
      {
        be_alone(&inside, "critical(one)");
        sum += 1;
      }
    }
  }
  check(sum == 5 * n, "critical(one) ran %d times, not %d", sum, 5 * n);
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
  unnamed(n);
  unnamed(4);
  named(n);
  named(4);
  names_differ();
  return 0;
}
