// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenMP allows, or leaves open, and looks like a circle or a mistake: each ends, and comes to what it says. Argument:
// which.
#include "check.h"
#include "entry_points.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

/// Plain numbers, in order.
static void step(int* at, int expected) {
  check(*at == expected, "step %d of tasks with depend objects comes as step %d", expected, *at);
  *at = expected + 1;
}

/// Depend objects that name each other's memory, the same address twice, in both orders, and in two ways: who is made later is
/// behind, so that nothing is behind itself.
static void depend_objects(void) {
  omp_depend_t first, second, one, other;
  int x = 0, y = 0, ran = 0, in_circle = 0;
#pragma omp depobj(first) depend(inout : x)
#pragma omp depobj(second) depend(inout : y)
#pragma omp depobj(one) depend(inout : *(char*)&other)
#pragma omp depobj(other) depend(inout : *(char*)&one)
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 50; ++round) {
#pragma omp task depend(depobj : first) depend(depobj : second) shared(ran)
    step(&ran, 5 * round);
#pragma omp task depend(depobj : second) depend(depobj : first) shared(ran)
    step(&ran, 5 * round + 1);
#pragma omp task depend(depobj : first) depend(inout : x) depend(in : x) depend(depobj : first) shared(ran)
    step(&ran, 5 * round + 2);
#pragma omp task depend(inout : x) shared(ran, x)
    {
      int inside = 0;
#pragma omp task depend(depobj : second) depend(inout : x) shared(inside)
      ++inside;
#pragma omp taskwait depend(in : x)
      step(&ran, 5 * round + 2 + inside);
    }
#pragma omp depobj(first) update(in)
#pragma omp task depend(depobj : first) depend(depobj : second) shared(ran)
    step(&ran, 5 * round + 4);
#pragma omp depobj(first) update(inout)
#pragma omp task depend(depobj : one) shared(in_circle)
    add(&in_circle, 1);
#pragma omp task depend(depobj : other) shared(in_circle)
    add(&in_circle, 1);
#pragma omp task depend(depobj : one, other) shared(in_circle)
    add(&in_circle, 1);
  }
  check(ran == 250 && in_circle == 150, "of 250 and 150 tasks with depend objects %d and %d ran", ran, in_circle);
}

/// Beyond the largest one, and below 0: each task runs, once.
static void priorities(void) {
  static const int all[] = {-5, 0, 3, 1000000, INT_MAX, INT_MIN};
  enum { kinds = sizeof all / sizeof *all };
  int plain = 0, behind = 0, in_loops = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kinds; ++i) {
#pragma omp task priority(all[i]) shared(plain)
    add(&plain, 1);
#pragma omp task priority(all[i]) depend(inout : behind) shared(behind)
    ++behind;
#pragma omp taskloop priority(all[i]) shared(in_loops)
    for (int j = 0; j < 3; ++j) add(&in_loops, 1);
  }
  check(plain == kinds && behind == kinds && in_loops == 3 * kinds, "tasks of odd priorities ran %d, %d and %d times", plain,
        behind, in_loops);
}

/// Without a taskgroup, or a region, around it a cancel does nothing, and what comes behind it is whole.
static void cancel(void) {
  int ran = 0, iterations = 0;
  check(!GOMP_cancel(1, true) && !GOMP_cancel(8, true), "outside of all regions something is cancelled");
  check(!GOMP_cancellation_point(1) && !GOMP_cancellation_point(8), "outside of all regions something was cancelled");
#pragma omp parallel num_threads(3) shared(ran, iterations)
  {
    check(!GOMP_cancel(8, true) && !GOMP_cancellation_point(8), "without a taskgroup one is cancelled");
#pragma omp task
    {
      check(!GOMP_cancel(8, true), "in a task without a taskgroup one is cancelled");
      add(&ran, 1);
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 30; ++i) {
#pragma omp cancellation point for
      add(&iterations, 1);
#pragma omp cancel for if (i < 0)
    }
#pragma omp taskgroup
    {
#pragma omp task
      add(&ran, 1);
    }
  }
  check(ran == 6 && iterations == 30, "behind a cancel without its construct %d of 6 tasks and %d of 30 iterations ran", ran,
        iterations);
}

/// Ends of constructs that have not begun.
static void ends(void) {
  int ran = 0;
  GOMP_taskgroup_end();
  GOMP_loop_end();
  GOMP_loop_end_nowait();
#pragma omp parallel num_threads(2) reduction(+ : ran)
  {
    GOMP_taskgroup_end();
#pragma omp for
    for (int i = 0; i < 10; ++i) ++ran;
  }
  check(ran == 10, "behind the ends of nothing a loop ran %d of 10 times", ran);
}

int main(int count, char** words) {
  const char* const which = count > 1 ? words[1] : "depend_objects";
  if (strcmp(which, "depend_objects") == 0) depend_objects();
  else if (strcmp(which, "priorities") == 0) priorities();
  else if (strcmp(which, "cancel") == 0) cancel();
  else if (strcmp(which, "ends") == 0) ends();
  else return 2;
  return 0;
}
