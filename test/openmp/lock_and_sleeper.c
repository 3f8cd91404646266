// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that holds a lock sleeps at the end of a taskgroup; then a descendant of it comes into a queue that is not empty, behind
// tasks that want the lock. All other threads begin one of those, and who sleeps must be told of the descendant.
#include "check.h"

#include <omp.h>

static omp_lock_t lock;
static int second_in, others_put, last_put, descendants, others;

static void want_lock(void) {
  omp_set_lock(&lock);
  ++others;
  omp_unset_lock(&lock);
}

/// Runs beside the holder, whose child has ended: its own end does not wake it.
static void second(void) {
  store(&second_in, 1);
  await(&others_put);
  // Time for the holder to fall asleep, after a nap if it was called for the others.
  for (const double begin = omp_get_wtime(); omp_get_wtime() < begin + 0.005;) sched_yield();
#pragma omp task
  add(&descendants, 1);
  store(&last_put, 1);
}

static void first(void) {
#pragma omp task
  second();
}

static void hold_lock(void) {
  omp_set_lock(&lock);
#pragma omp taskgroup
  {
#pragma omp task
    first();
    await(&second_in);
  }
  omp_unset_lock(&lock);
}

int main(void) {
  const int n = omp_get_max_threads() < 3 ? 3 : omp_get_max_threads();
  const int repeats = 10;
  omp_init_lock(&lock);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    second_in = others_put = last_put = 0;
#pragma omp parallel num_threads(n)
#pragma omp master
    {
#pragma omp task
      hold_lock();
      await(&second_in);
      for (int i = 0; i < n - 1; ++i) {
#pragma omp task
        want_lock();
      }
      store(&others_put, 1);
      await(&last_put);
    }
  }
  check(descendants == repeats, "%d descendants ran, not %d", descendants, repeats);
  check(others == (n - 1) * repeats, "%d other tasks ran, not %d", others, (n - 1) * repeats);
  omp_destroy_lock(&lock);
  return 0;
}
