// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier: a member is held up between any two of its instructions there, in each round between the next two. One that takes the
// number of its barrier too late then sleeps through the end of it, and one that completes a barrier twice lets members go early.
#include "stepped.h"

#include <omp.h>

enum { instructions = 160, barriers_behind = 2 };

static struct hold holds[instructions + 1];
static int arrived[instructions + 1][1 + barriers_behind];

static void expect_all(int round, int which, int n) {
  const int came = load(&arrived[round][which]);
  check(came == n, "a member held at instruction %d: barrier %d behind it let go when %d of %d had come", round, which, came, n);
}

static void hold_one(int round, int n) {
  add(&arrived[round][0], 1);
  if (omp_get_thread_num() == round % n) {
    be_held(&holds[round], round, n - 1);
#pragma omp barrier
    leave_hold(&holds[round]);
  } else {
    begin_beside(&holds[round]);
#pragma omp barrier
    add(&holds[round].ended, 1);
  }
  expect_all(round, 0, n);
  for (int behind = 1; behind <= barriers_behind; ++behind) {
    add(&arrived[round][behind], 1);
#pragma omp barrier
    expect_all(round, behind, n);
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  if (n == 1) return 0;  // nobody could go on meanwhile
  prepare_holds();
#pragma omp parallel num_threads(n)
  for (int round = 1; round <= instructions; ++round) hold_one(round, n);
  return 0;
}
