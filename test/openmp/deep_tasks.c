// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion of tasks 10,000 deep, and a hundred thousand tasks that one member has put before anybody runs one.
#include "check.h"

#include <omp.h>

enum { depth = 10000, wide = 100000 };

static int reached, ran;

static int deep(int level) {
  int below = 0;
  if (level == depth) {
    add(&reached, 1);
    return 0;
  }
#pragma omp task shared(below)
  below = deep(level + 1);
#pragma omp taskwait
  return below + 1;
}

int main(void) {
  const int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    const int levels = deep(0);
    check(levels == depth && reached == 1, "recursion of %d tasks came back as %d", depth, levels);
    for (int i = 0; i < wide; ++i) {
#pragma omp task
      add(&ran, 1);
    }
  }
  check(ran == wide, "%d of %d tasks ran", ran, wide);
  return 0;
}
