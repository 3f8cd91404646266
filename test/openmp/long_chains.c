// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of tasks, each of which makes the next one and ends, at once or when another thread has begun that: those that have ended
// need no memory, and the end of a taskgroup around them takes no longer for each than in a short one.
#include "check.h"
#include "memory.h"

#include <string.h>

enum { steps = 400000, most_kilobytes = 8192 };

static int ran;
static long before_all, growth;

static void step(int left) {
  ++ran;  // one behind the other
  if (left > 0) {
#pragma omp task
    step(left - 1);
  } else {
    growth = (memory_bytes(1) - before_all) / 1024;
  }
}

/// Each goes on until another thread has begun the next one, or for a while.
static long before_these;
static void step_that_goes_on(int left) {
  const int before = add(&ran, 1) + 1;
  if (left > 0) {
#pragma omp task
    step_that_goes_on(left - 1);
  } else {
    growth = (memory_bytes(1) - before_these) / 1024;
  }
  for (int rounds = 0; rounds < 2000 && load(&ran) == before; ++rounds) continue;
}

/// Each step has another child, and waits for it now and then.
static int leaves;
static void step_with_a_leaf(int left) {
#pragma omp task
  add(&leaves, 1);
  if (left % 64 == 0) {
#pragma omp taskwait
  }
  if (left > 0) {
#pragma omp task
    step_with_a_leaf(left - 1);
  }
}

static void expect_bounded(int made, const char* where) {
  check(ran == made + 1, "%s: %d of %d tasks of a chain ran", where, ran, made + 1);
  check(growth < most_kilobytes, "%s: a chain of %d tasks took %ld KiB", where, made, growth);
  ran = 0;
}

static void step_in_a_taskgroup(void) {
  before_all = memory_bytes(1);
#pragma omp taskgroup
  step(steps);
  expect_bounded(steps, "in a taskgroup");
}

/// On one thread of gcc's library each step lies on the one before.
static void step_with_leaves_in_a_taskgroup(void) {
#pragma omp taskgroup
  step_with_a_leaf(steps / 8);
  check(load(&leaves) == steps / 8 + 1, "%d of %d leaves ran", load(&leaves), steps / 8 + 1);
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "leaves") == 0) {
#pragma omp parallel
#pragma omp single
    step_with_leaves_in_a_taskgroup();
    return 0;
  }
  before_all = memory_bytes(1);
#pragma omp parallel
#pragma omp single
  step(steps);
  expect_bounded(steps, "in a region");

  before_these = memory_bytes(1);
#pragma omp parallel
#pragma omp single
  step_that_goes_on(steps / 2);
  expect_bounded(steps / 2, "in a region, of steps that go on");

#pragma omp parallel
#pragma omp single
  step_in_a_taskgroup();
  return 0;
}
