// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two ends of a loop promise: one waits for the team, the other gives back what the loop needed.
#include "check.h"
#include "entry_points.h"
#include "memory.h"

#include <omp.h>

static void waits(void) {
  int passed = 0, inside = 0, leaving = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; ++i) {
      meet(&inside, 2);  // each member has one of the iterations
      if (omp_get_thread_num() == 0) {
        while (!load(&leaving)) sched_yield();
        check(stays_clear(&passed), "a member is past a loop while an iteration is running");
      } else {
        store(&leaving, 1);
      }
    }
    store(&passed, 1);
  }
}

static void does_not_wait(void) {
  int arrived = 0, together = 0;
#pragma omp parallel num_threads(2)
  {
    meet(&arrived, 2);
    int had_it = 0;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 1; ++i) {
      had_it = 1;
      meet(&together, 2);  // the other member has to come past the loop
    }
    if (!had_it) meet(&together, 2);
  }
}

/// Members far apart: one is many loops without wait behind the other.
static void far_apart(void) {
  enum { loops = 300 };
  static int done[loops];
  int finished = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      while (load(&finished) == 0) sched_yield();
    }
    for (int each = 0; each < loops; ++each) {
#pragma omp for schedule(dynamic, 2) nowait
      for (int i = 0; i < 7; ++i) add(&done[each], 1);
    }
    store(&finished, 1);
  }
  for (int each = 0; each < loops; ++each) check(done[each] == 7, "loop %d had %d iterations, not 7", each, done[each]);
}

static int loop_of_two(void) {
  int ran = 0;
#pragma omp for schedule(dynamic) nowait
  for (int i = 0; i < 2; ++i) ++ran;
  return ran;
}

int main(void) {
  waits();
  does_not_wait();
  far_apart();
  bounded_memory(loop_of_two);
  return 0;
}
