// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the members of a region run, as its proc_bind clause says. With fewer than two processors there is nothing to see.
#include "check.h"

#include <omp.h>

static int where[4];

static void note(void) { where[omp_get_thread_num()] = omp_get_place_num(); }

static void expect(const char* kind, int members, int a, int b, int c, int d) {
  const int wanted[] = {a, b, c, d};
  for (int at = 0; at < members; ++at)
    check(where[at] == wanted[at], "proc_bind(%s): member %d of %d is at place %d, not %d", kind, at, members, where[at],
          wanted[at]);
}

int main(void) {
  if (omp_get_num_places() < 2) return 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
#pragma omp parallel num_threads(2) proc_bind(master)
    note();
    expect("master", 2, 0, 0, 0, 0);
#pragma omp parallel num_threads(2) proc_bind(close)
    note();
    expect("close", 2, 0, 1, 0, 0);
#pragma omp parallel num_threads(4) proc_bind(close)
    note();
    expect("close", 4, 0, 0, 1, 1);
#pragma omp parallel num_threads(2) proc_bind(spread)
    note();
    expect("spread", 2, 0, 1, 0, 0);
  }
  return 0;
}
