// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task holds a lock over a taskwait, and its grandchildren, for which it does not wait, want that lock.
#include "check.h"

#include <omp.h>

static omp_lock_t lock;
static int ran;

static void want_lock(void) {
  omp_set_lock(&lock);
  ++ran;
  omp_unset_lock(&lock);
}

static void child(void) {
  for (int i = 0; i < 3; ++i) {
#pragma omp task
    want_lock();
  }
}

static void hold_lock(void) {
  omp_set_lock(&lock);
  for (int i = 0; i < 5; ++i) {
#pragma omp task
    child();
  }
#pragma omp taskwait
  omp_unset_lock(&lock);
}

/// `in_group`: another member waits for all of them, which may be called for any, and wants the lock in a grandchild.
static void hold_repeatedly(int times, int n, int in_group) {
  ran = 0;
  for (int repeat = 0; repeat < times; ++repeat) {
#pragma omp parallel num_threads(n)
#pragma omp single
    if (in_group) {
#pragma omp taskgroup
#pragma omp task
      hold_lock();
    } else {
#pragma omp task
      hold_lock();
    }
  }
  check(ran == 15 * times, "%d grandchildren ran, not %d", ran, 15 * times);
}

int main(void) {
  omp_init_lock(&lock);
  hold_repeatedly(300, omp_get_max_threads(), 1);
  hold_repeatedly(300, omp_get_max_threads(), 0);  // a grandchild may be seen while its parent still runs
  // With one thread each child ends before the wait looks again: what such children leave must wait, however often.
  hold_repeatedly(200, 1, 0);
  omp_destroy_lock(&lock);
  return 0;
}
