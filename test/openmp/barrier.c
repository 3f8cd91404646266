// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier: nobody leaves before everybody has come and all tasks are done.
#include "check.h"

#include <omp.h>

enum { rounds = 200 };

static void holds_everybody_up(int n) {
  int passed = 0, arrived = 0;
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    if (omp_get_thread_num() == 0) check(stays_clear(&passed), "a member is past a barrier that another has not reached");
#pragma omp barrier
    store(&passed, 1);
  }
}

static void rounds_do_not_mix(int n) {
  static int arrived[rounds];
  for (int i = 0; i < rounds; ++i) arrived[i] = 0;
#pragma omp parallel num_threads(n)
  for (int i = 0; i < rounds; ++i) {
    add(&arrived[i], 1);
#pragma omp barrier
    check(load(&arrived[i]) == n, "barrier %d let a member go when %d of %d had come", i, load(&arrived[i]), n);
  }
}

static void finishes_tasks(int n) {
  int done = 0, first = 0;
#pragma omp parallel num_threads(n)
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      {
        if (add(&first, 1) == 0) sched_yield();
#pragma omp task
        add(&done, 1);
        add(&done, 1);
      }
    }
#pragma omp barrier
    check(load(&done) == 40 * n, "past a barrier %d of %d tasks are done", load(&done), 40 * n);
  }
}

static void in_an_orphan(int* arrived) {
  add(arrived, 1);
#pragma omp barrier
}

int main(void) {
  const int n = omp_get_max_threads();
#pragma omp barrier  // outside of any region: a team of one
  holds_everybody_up(n);
  holds_everybody_up(3);
  rounds_do_not_mix(n);
  finishes_tasks(n);
  int arrived = 0;
#pragma omp parallel num_threads(n)
  {
    in_an_orphan(&arrived);
    check(load(&arrived) == n, "past an orphaned barrier %d of %d have come", load(&arrived), n);
  }
  return 0;
}
