// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ordered: the regions of a loop's iterations run one at a time and in the order of the loop.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

enum { iterations = 120 };

static int position, inside;

static void next_is(int index) {
  be_alone(&inside, "ordered");
  check(position == index, "ordered region %d came when %d was due", index, position);
  position = index + 1;
}

static void expect_all(const char* what, int count) {
  check(position == count, "%s: %d ordered regions ran, not %d", what, position, count);
  position = 0;
}

static void schedules(int n) {
#pragma omp parallel for ordered schedule(static) num_threads(n)
  for (int i = 0; i < iterations; ++i) {
#pragma omp ordered
    next_is(i);
  }
  expect_all("static", iterations);
#pragma omp parallel for ordered schedule(static, 3) num_threads(n)
  for (int i = 0; i < iterations; ++i) {
#pragma omp ordered threads
    next_is(i);
  }
  expect_all("static, 3", iterations);
#pragma omp parallel for ordered schedule(dynamic) num_threads(n)
  for (int i = 0; i < iterations; ++i) {
#pragma omp ordered
    next_is(i);
  }
  expect_all("dynamic", iterations);
#pragma omp parallel for ordered schedule(guided, 2) num_threads(n)
  for (int i = iterations; i > 0; --i) {
#pragma omp ordered
    next_is(iterations - i);
  }
  expect_all("guided, backwards", iterations);
}

static void runtime_and_unsigned(int n) {
  omp_set_schedule(omp_sched_dynamic, 4);
#pragma omp parallel for ordered schedule(runtime) num_threads(n)
  for (int i = 0; i < iterations; ++i) {
#pragma omp ordered
    next_is(i);
  }
  expect_all("runtime", iterations);
#pragma omp parallel for ordered schedule(dynamic, 2) num_threads(n)
  for (unsigned long long i = 0; i < iterations; ++i) {
#pragma omp ordered
    next_is((int)i);
  }
  expect_all("unsigned long long", iterations);
}

/// Not each iteration has an ordered region; the loop goes on while one waits.
static void with_gaps(int n) {
  int done = 0;
#pragma omp parallel for ordered schedule(dynamic) num_threads(n) reduction(+ : done)
  for (int i = 0; i < iterations; ++i) {
    ++done;
    if (i % 3 == 0) {
#pragma omp ordered
      next_is(i / 3);
    }
  }
  expect_all("every third", iterations / 3);
  check(done == iterations, "%d iterations ran, not %d", done, iterations);
}

/// The first iteration looks around before its turn ends: nobody else may be in.
static void holds_up(void) {
  int second = 0, arrived = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; ++i) {
    meet(&arrived, 2);
    if (i == 0) check(stays_clear(&second), "an ordered region is in before its turn");
#pragma omp ordered
    {
      if (i == 1) store(&second, 1);
    }
  }
}

/// ordered regions that were left are left for good: two loops after one another, nowait.
static void loops_in_a_row(int n) {
  int first[iterations], second[iterations], firsts = 0, seconds = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp for ordered schedule(dynamic) nowait
    for (int i = 0; i < iterations; ++i) {
#pragma omp ordered
      first[firsts++] = i;
    }
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < iterations; ++i) {
#pragma omp ordered
      second[seconds++] = i;
    }
  }
  check(firsts == iterations && seconds == iterations, "%d and %d ordered regions ran", firsts, seconds);
  for (int i = 0; i < iterations; ++i) check(first[i] == i && second[i] == i, "ordered region %d is out of order", i);
}

int main(void) {
  const int n = omp_get_max_threads();
  schedules(n);
  runtime_and_unsigned(n);
  with_gaps(n);
  holds_up();
  loops_in_a_row(n);
  return 0;
}
