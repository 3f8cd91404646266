// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks hold a lock over a taskwait while other threads have stolen their children together with tasks that want the lock: the
// stolen ones lie below what these threads put themselves, and who waits must find them there.
#include "check.h"

#include <omp.h>

static omp_lock_t lock;
static int thief_in, thief_may_go, wants_lock, children, others;

static void want_lock(void) {
  for (int i = 0; i < 4; ++i) {
#pragma omp task
    add(&others, 1);
  }
  store(&wants_lock, 1);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

static void hold_up(void) {
  store(&thief_in, 1);
  await(&thief_may_go);
}

static void hold_lock(void) {
  omp_set_lock(&lock);
  for (int i = 0; i < 8; ++i) {
#pragma omp task
    add(&children, 1);
  }
  await(&thief_in);
#pragma omp task
  add(&children, 1);
  store(&thief_may_go, 1);
  await(&wants_lock);
#pragma omp taskwait
  omp_unset_lock(&lock);
}

int main(void) {
  const int n = omp_get_max_threads();
  const int repeats = 30;
  omp_init_lock(&lock);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    thief_in = thief_may_go = wants_lock = 0;
#pragma omp parallel num_threads(n)
#pragma omp master
    {
#pragma omp task
      hold_up();
      for (int i = 0; i < 2; ++i) {
#pragma omp task
        want_lock();
      }
#pragma omp task
      hold_lock();
    }
  }
  check(children == 9 * repeats, "%d children ran, not %d", children, 9 * repeats);
  check(others == 8 * repeats, "%d other tasks ran, not %d", others, 8 * repeats);
  omp_destroy_lock(&lock);
  return 0;
}
