// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions that create millions of tasks, more than all members can run meanwhile: few of them wait at a time, whether one member
// creates them, all do, or tasks; and what they need stays bounded, also in a taskloop (whose tasks nobody can count before they
// run).
#include "check.h"
#include "memory.h"

#include <omp.h>

enum { tasks = 1000000, live_per_member = 4096 };

static int live, most_live, ran;
static long memory_before, most_memory;

static void put_one(void) {
  const int now = add(&live, 1) + 1;
  if (now > load(&most_live)) store(&most_live, now);
#pragma omp task
  {
    add(&live, -1);
    add(&ran, 1);
  }
}

/// Effect: number I of many tasks looks, now and then, how much memory there is.
static void look_at_memory(int i) {
  if (i % 10000 != 0) return;
  const long now = memory_bytes(1);
#pragma omp critical
  if (now > most_memory) most_memory = now;
}

static void put_many(int count) {
  for (int i = 0; i < count; ++i) {
    put_one();
    look_at_memory(i);
  }
}

static void by_one(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  put_many(tasks);
}

static void by_all(int n) {
#pragma omp parallel num_threads(n)
  put_many(tasks / n);
}

static void by_tasks(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 10; ++i) {
#pragma omp task
    put_many(tasks / 10);
  }
}

static void in_a_loop(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskloop num_tasks(tasks)
  for (int i = 0; i < tasks; ++i) {
    add(&ran, 1);
    look_at_memory(i);
  }
}

static void check_bounds(const char* what, void (*put)(int), int n, int expected) {
  live = most_live = ran = 0;
  most_memory = memory_before;
  put(n);
  check(ran == expected && live == 0, "%s: %d tasks ran, not %d", what, ran, expected);
  // A member looks again when it has put its share of what was left: the others may not have put theirs yet.
  check(most_live <= (n == 1 ? 1 : 2) * n * live_per_member + n, "%s: %d tasks waited at a time", what, most_live);
  const long grown = (most_memory - memory_before) >> 20;
  check(grown < 8 + 4 * n, "%s: %ld MB for tasks that wait", what, grown);
}

int main(void) {
  const int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
#pragma omp single
  put_one();
  memory_before = memory_bytes(1);
  check_bounds("one member", by_one, n, tasks);
  check_bounds("all members", by_all, n, tasks / n * n);
  check_bounds("tasks", by_tasks, n, tasks);
  check_bounds("a taskloop", in_a_loop, n, tasks);
  return 0;
}
