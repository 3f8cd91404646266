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

int main(void) {
  omp_init_lock(&lock);
  // A grandchild may be seen while its parent still runs.
  for (int repeat = 0; repeat < 300; ++repeat) {
#pragma omp parallel
#pragma omp single
#pragma omp task
    hold_lock();
  }
  check(ran == 15 * 300, "%d grandchildren ran, not %d", ran, 15 * 300);
  // With one thread each child ends before the wait looks again: what such children leave must wait, however often.
  for (int repeat = 0; repeat < 200; ++repeat) {
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task
    hold_lock();
  }
  check(ran == 15 * 500, "%d grandchildren ran, not %d", ran, 15 * 500);
  omp_destroy_lock(&lock);
  return 0;
}
