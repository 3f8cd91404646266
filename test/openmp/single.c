// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single, with nowait and copyprivate.
#include "check.h"

#include <omp.h>

enum { rounds = 100 };

static void once_each(int n) {
  static int runs[rounds];
#pragma omp parallel num_threads(n)
  for (int i = 0; i < rounds; ++i) {
    if (i % 2) {
#pragma omp single nowait
      add(&runs[i], 1);
    } else {
#pragma omp single
      add(&runs[i], 1);
      check(load(&runs[i]) == 1, "past single %d it ran %d times", i, load(&runs[i]));
    }
  }
  expect_each_once("single", runs, rounds);
}

/// Two variables, one of them large: what one member sets is what all get.
static void copied_to_all(int n) {
  int ran = 0;
#pragma omp parallel num_threads(n)
  for (int round = 0; round < rounds; ++round) {
    struct {
      int values[50];
    } large = {{0}};
    int small = -1;
#pragma omp single copyprivate(large, small)
    {
      add(&ran, 1);
      large.values[49] = 1000 + round;
      small = round;
    }
    check(small == round && large.values[49] == 1000 + round, "copyprivate gave %d in round %d", small, round);
  }
  check(ran == rounds, "single with copyprivate ran %d times in %d rounds", ran, rounds);
}

static void waits_at_its_end(int n) {
  int passed = 0, arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
#pragma omp single
    check(stays_clear(&passed), "a member is past a single that is still running");
    store(&passed, 1);
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  int outside = 0;
#pragma omp single
  outside = 1;
  check(outside == 1, "single outside of any region did not run");
  once_each(n);
  once_each(4);
  copied_to_all(n);
  copied_to_all(3);
  waits_at_its_end(n);
  return 0;
}
