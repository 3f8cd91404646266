// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each task has the variables (OpenMP 5.2, section 2.3) that its creator had when it was made; what it changes is its own and its
// later children's, and needs no memory when it has ended.
#include "check.h"
#include "memory.h"

#include <omp.h>

enum { tasks = 300000, rounds = 1000, many = 100, most_kilobytes = 4096 };

static int seen, waits;

static void expect_threads(int wanted, const char* whose) {
  check(omp_get_max_threads() == wanted, "%s: %d threads, not %d", whose, omp_get_max_threads(), wanted);
  add(&seen, 1);
}

/// A task that was made before its creator changes its variables has the old ones, also if it begins later.
static void change_between_children(int first, const char* whose) {
  omp_set_num_threads(first);
#pragma omp task if (omp_get_num_threads() > 1)
  {
    expect_threads(first, whose);
    while (load(&waits)) sched_yield();
    expect_threads(first, whose);
#pragma omp task
    expect_threads(first, whose);
    omp_set_num_threads(first + 10);
#pragma omp task
    expect_threads(first + 10, whose);
  }
  omp_set_num_threads(first + 1);
  expect_threads(first + 1, whose);
  omp_set_max_active_levels(3);
#pragma omp task
  {
    expect_threads(first + 1, whose);
    check(omp_get_max_active_levels() == 3, "%s: a child does not have what its creator changed", whose);
    omp_set_num_threads(first + 20);
  }
  store(&waits, 0);
#pragma omp taskwait
  expect_threads(first + 1, whose);
}

static void change_in_both(void) {
  store(&waits, omp_get_num_threads() > 1);
  change_between_children(3, "an implicit task");
  store(&waits, omp_get_num_threads() > 1);
#pragma omp task
  change_between_children(5, "an explicit task");
#pragma omp taskwait
  expect_threads(4, "who waits");
#pragma omp taskgroup
  {
    omp_set_num_threads(7);
#pragma omp task
    expect_threads(7, "a child in a taskgroup");
  }
  expect_threads(7, "behind a taskgroup");
}

/// Two tasks at once that change them to the same, and one goes on changing its own.
static void change_to_the_same(void) {
  static int one_has, other_has, one_has_changed;
  if (omp_get_num_threads() == 1) return;
#pragma omp task
  {
    omp_set_num_threads(31);
    store(&one_has, 1);
    while (!load(&other_has)) sched_yield();
    omp_set_num_threads(32);
    store(&one_has_changed, 1);
  }
#pragma omp task
  {
    while (!load(&one_has)) sched_yield();
    omp_set_num_threads(31);
    store(&other_has, 1);
    while (!load(&one_has_changed)) sched_yield();
    check(omp_get_max_threads() == 31, "a task has what another one changed");
  }
}

static void expect_chunk(int wanted) {
  omp_sched_t kind;
  int chunk = 0;
  omp_get_schedule(&kind, &chunk);
  check(chunk == wanted, "a task has a chunk of %d, not of %d", chunk, wanted);
}

/// Beside a child, which has the old ones, an implicit task changes its own; then comes a barrier, behind which other tasks
/// change theirs, each to another value, and many times over.
static void change_between_barriers(void) {
  long before = 0;
#pragma omp parallel firstprivate(before)
  for (int round = 0; round < rounds; ++round) {
    const int mine = 1 + round * omp_get_num_threads() + omp_get_thread_num();
    int goes_on = 0;
    if (round == rounds / 4) before = memory_bytes(1);
#pragma omp task if (omp_get_num_threads() > 1) shared(goes_on)
    while (omp_get_num_threads() > 1 && !load(&goes_on)) sched_yield();
    omp_set_schedule(omp_sched_dynamic, mine);
    store(&goes_on, 1);
#pragma omp barrier
#pragma omp task
    for (int each = 0; each < many; ++each) {
#pragma omp task firstprivate(each)
      {
        omp_set_schedule(omp_sched_dynamic, 1000000 + round * many + each);
        expect_chunk(1000000 + round * many + each);
        omp_set_schedule(omp_sched_dynamic, 2000000 + each);
        expect_chunk(2000000 + each);
      }
    }
#pragma omp barrier
    expect_chunk(mine);
    if (round == rounds - 1)
      check((memory_bytes(1) - before) / 1024 < most_kilobytes, "tasks between barriers left %ld KiB",
            (memory_bytes(1) - before) / 1024);
  }
}

/// One task changes them many times.
static void change_many_times(void) {
  const long before = memory_bytes(1);
#pragma omp task
  for (int i = 0; i < tasks; ++i) omp_set_schedule(omp_sched_dynamic, 1 + i);
#pragma omp taskwait
  check((memory_bytes(1) - before) / 1024 < most_kilobytes, "changes left %ld KiB", (memory_bytes(1) - before) / 1024);
}

/// Each changes them to one of a few values.
static void change_in_many(void) {
  const long before = memory_bytes(1);
  for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i)
    {
      omp_set_num_threads(1 + i % 20);
      check(omp_get_max_threads() == 1 + i % 20, "a task does not have what it set");
    }
  }
#pragma omp taskwait
  const long growth = (memory_bytes(1) - before) / 1024;
  check(growth < most_kilobytes, "%d tasks that changed their variables left %ld KiB", tasks, growth);
}

int main(void) {
  const int threads_before = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
  change_in_both();
#pragma omp parallel
#pragma omp single
  change_to_the_same();
  change_between_barriers();
  check(seen == 17, "%d of 17 looks", seen);
  expect_threads(threads_before, "behind a region");
  for (int round = 0; round < 2; ++round) {
#pragma omp parallel num_threads(1 + round)
#pragma omp single
    {
      change_many_times();
      change_in_many();
    }
  }
  return 0;
}
