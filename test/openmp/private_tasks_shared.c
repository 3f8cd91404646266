// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member waits for something that its own newest tasks bring about, and does not run them meanwhile: others must get at them,
// whatever it waits for. One of the three members is free to run them.
#include "check.h"

#include <omp.h>

enum { members = 3, tasks = 3 };

static int ran, held, arrived;
static omp_lock_t lock;

static void put(void) {
  for (int i = 0; i < tasks; ++i) {
#pragma omp task
    add(&ran, 1);
  }
}

static void await_tasks(void) {
  while (load(&ran) < tasks) sched_yield();
}

/// Member 2 goes on to the barrier.
static void other_member_holds_a_lock(int only_asks) {
#pragma omp parallel num_threads(members)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      store(&held, 1);
      await_tasks();
      omp_unset_lock(&lock);
    } else if (omp_get_thread_num() == 1) {
      while (!load(&held)) sched_yield();
      put();
      if (only_asks)
        while (!omp_test_lock(&lock)) sched_yield();
      else
        omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
  }
}

static void turn_in_an_ordered_loop(void) {
#pragma omp parallel num_threads(members)
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 2; ++i) {
    if (i == 0) await_tasks();
    else put();
#pragma omp ordered
    add(&arrived, 1);
  }
}

static void region_inside(void) {
#pragma omp parallel num_threads(members)
  if (omp_get_thread_num() == 1) {
    put();
#pragma omp parallel num_threads(1)
    await_tasks();
  }
}

/// Its grandchildren are none of the tasks that a taskwait waits for, or may run.
static void child_on_another_member(void) {
#pragma omp parallel num_threads(members)
  if (omp_get_thread_num() == 1) {
#pragma omp task
    {
      store(&held, 1);
      await_tasks();
    }
#pragma omp parallel num_threads(1)
    while (!load(&held)) sched_yield();
#pragma omp task if (0)
    put();
#pragma omp taskwait
  }
}

/// The yielding task waits for tasks of its parent, which are none of its own.
static void looks_at_a_flag_and_yields(void) {
#pragma omp parallel num_threads(members)
  if (omp_get_thread_num() == 1) {
    put();
#pragma omp task if (0)
    while (load(&ran) < tasks) {
#pragma omp taskyield
    }
  }
}

static void expect_all(const char* what) {
  check(ran == tasks, "%s: %d of %d tasks ran", what, ran, tasks);
  ran = held = 0;
}

int main(void) {
  omp_init_lock(&lock);
  for (int repeat = 0; repeat < 5; ++repeat) {
    other_member_holds_a_lock(0);
    expect_all("a lock");
    other_member_holds_a_lock(1);
    expect_all("asking for a lock");
    turn_in_an_ordered_loop();
    expect_all("an ordered loop");
    region_inside();
    expect_all("a region inside");
    looks_at_a_flag_and_yields();
    expect_all("a taskyield");
    child_on_another_member();
    expect_all("a taskwait");
  }
  check(arrived == 10, "%d of 10 turns", arrived);
  omp_destroy_lock(&lock);
  return 0;
}
