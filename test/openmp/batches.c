// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in any order, one behind the other without a barrier, thousands of tiny iterations with few that are longer: members take
// what others have taken before, at the very time at which these come to it. Each iteration runs once.
#include "check.h"

#include <omp.h>

enum { rounds = 500, loops = 6, length = 5000 };
static unsigned char ran[loops][length];

static int is_long(int loop, int i, int round) {
  return ((unsigned)i * 2654435761u >> 20) % 700 == (unsigned)(round + loop) % 700;
}

static void spin(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

int main(void) {
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel
    for (int loop = 0; loop < loops; ++loop) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < length; ++i) {
        __atomic_fetch_add(&ran[loop][i], 1, __ATOMIC_RELAXED);
        if (omp_get_num_threads() > 1 && is_long(loop, i, round)) spin(15e-6);
      }
    }
    for (int loop = 0; loop < loops; ++loop) {
      for (int i = 0; i < length; ++i) {
        check(ran[loop][i] == 1, "round %d: iteration %d of loop %d ran %d times", round, i, loop, ran[loop][i]);
        ran[loop][i] = 0;
      }
    }
  }
  return 0;
}
