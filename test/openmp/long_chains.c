// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of tasks, each of which makes the next one and ends: those that have ended need no memory, and the end of a taskgroup
// around them takes no longer for each than in a short one.
#include "check.h"
#include "memory.h"

#include <string.h>

enum { steps = 400000, most_kilobytes = 8192 };

static int ran;
static long before, growth;

static void step(int left) {
  ++ran;  // one behind the other
  if (left > 0) {
#pragma omp task
    step(left - 1);
  } else {
    growth = (memory_bytes(1) - before) / 1024;
  }
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

static void expect_bounded(const char* where) {
  check(ran == steps + 1, "%s: %d of %d tasks of a chain ran", where, ran, steps + 1);
  check(growth < most_kilobytes, "%s: a chain of %d tasks took %ld KiB", where, steps, growth);
  ran = 0;
}

static void step_in_a_taskgroup(void) {
  before = memory_bytes(1);
#pragma omp taskgroup
  step(steps);
  expect_bounded("in a taskgroup");
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
  before = memory_bytes(1);
#pragma omp parallel
#pragma omp single
  step(steps);
  expect_bounded("in a region");

#pragma omp parallel
#pragma omp single
  step_in_a_taskgroup();
  return 0;
}
