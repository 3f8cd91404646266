// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel, cancellation point and the barriers of constructs that hold one, while cancellation is off: the program goes on.
#include "check.h"

#include <omp.h>
#include <stdbool.h>

bool GOMP_cancel(int which, bool really);
bool GOMP_cancellation_point(int which);

static int count;

static void of_regions(int n) {
  int behind = 0, late = 0;
#pragma omp parallel num_threads(n) reduction(+ : behind)
  {
    for (int round = 0; round < 50; ++round) {
      if (omp_get_thread_num() == round % n) add(&late, 1);
#pragma omp barrier
      check(load(&late) == round + 1, "a member leaves a barrier of a region with cancel too early");
#pragma omp barrier
    }
#pragma omp cancel parallel if (omp_get_thread_num() % 2)
    ++behind;
#pragma omp cancellation point parallel
    ++behind;
#pragma omp cancel parallel
    ++behind;
  }
  check(behind == 3 * n, "behind the cancels of a region %d of %d steps are done", behind, 3 * n);
}

/// What each member has done before the loop's end all see behind it.
static void of_loops(int n) {
  enum { iterations = 200 };
  static int hits[iterations], past;
#pragma omp parallel num_threads(n)
  for (int round = 0; round < 3; ++round) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < iterations; ++i) {
      add(&hits[i], 1);
#pragma omp cancellation point for
      if (i == iterations - 1)
        check(stays_clear(&past), "a member is past a loop with cancel while another is in it");
      if (i == 3) {
#pragma omp cancel for
      }
    }
    store(&past, 1);
    for (int i = 0; i < iterations; ++i)
      check(load(&hits[i]) == round + 1, "behind a loop with cancel iteration %d has run %d times", i, load(&hits[i]));
#pragma omp barrier
    store(&past, 0);
#pragma omp barrier
#pragma omp cancel parallel
  }
  for (int i = 0; i < iterations; ++i) store(&hits[i], 0);
#pragma omp parallel num_threads(n)
#pragma omp for schedule(static)
  for (int i = 0; i < iterations; ++i) {
#pragma omp cancel for if (i % 3 == 0)
    add(&hits[i], 1);
  }
  expect_each_once("a static loop with cancel", hits, iterations);
}

static void of_sections(int n) {
  static int hits[3], past;
#pragma omp parallel num_threads(n)
  for (int round = 0; round < 3; ++round) {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        add(&hits[0], 1);
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        add(&hits[1], 1);
      }
#pragma omp section
      {
        check(stays_clear(&past), "a member is past sections with cancel while another is in them");
        add(&hits[2], 1);
      }
    }
    store(&past, 1);
    for (int i = 0; i < 3; ++i)
      check(load(&hits[i]) == round + 1, "behind sections with cancel number %d has run %d times", i, load(&hits[i]));
#pragma omp barrier
    store(&past, 0);
#pragma omp barrier
#pragma omp cancel parallel
  }
}

static void of_taskgroups(int n) {
  count = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 100; ++i) {
#pragma omp task
      {
#pragma omp cancellation point taskgroup
#pragma omp cancel taskgroup
        add(&count, 1);
      }
    }
    check(load(&count) == 100, "of 100 tasks with cancel %d ran", load(&count));
#pragma omp taskloop
    for (int i = 0; i < 100; ++i) {
#pragma omp cancel taskgroup
      add(&count, 1);
    }
    check(load(&count) == 200, "of 100 iterations of a taskloop with cancel %d ran", load(&count) - 100);
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  check(omp_get_cancellation() == 0, "there is cancellation that nobody asked for");
  of_regions(n);
  of_loops(n);
  of_sections(n);
  of_taskgroups(n);
  for (int which = 1; which <= 8; which *= 2)
    check(!GOMP_cancel(which, true) && !GOMP_cancel(which, false) && !GOMP_cancellation_point(which),
          "cancellation of kind %d is said to have happened", which);
  return 0;
}
