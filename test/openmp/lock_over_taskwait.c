// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that hold a lock over a taskwait: who waits may not begin a task that wants the same lock on the same stack.
#include "check.h"

#include <omp.h>

static int sum;

static void tree(int levels) {
  if (levels == 0) {
    add(&sum, 1);
    return;
  }
  for (int i = 0; i < 2; ++i) {
#pragma omp task
    tree(levels - 1);
  }
#pragma omp taskwait
}

static void with_lock(omp_lock_t* lock, int* inside) {
  omp_set_lock(lock);
  check(add(inside, 1) == 0, "two tasks hold one lock");
  tree(3);
  check(add(inside, -1) == 1, "two tasks hold one lock");
  omp_unset_lock(lock);
}

static void with_critical(int* inside) {
#pragma omp critical
  {
    check(add(inside, 1) == 0, "two tasks are in critical");
    tree(3);
    add(inside, -1);
  }
}

enum { want_lock = 8 };
static int child_in, others_are_there;

static void hold_while_child_runs(omp_lock_t* lock) {
  omp_set_lock(lock);
#pragma omp task
  {
    store(&child_in, 1);
    await(&others_are_there);
    for (int look = 0; look < 1000; ++look) sched_yield();
  }
  await(&child_in);
  await(&others_are_there);
#pragma omp taskwait
  omp_unset_lock(lock);
}

/// The only child of a task that holds the lock runs on another member, so that there is nothing to do for who waits for it but
/// what a third member has put meanwhile: tasks that want the lock.
static void wait_beside_others(omp_lock_t* lock) {
  int ran = 0;
  child_in = others_are_there = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      hold_while_child_runs(lock);
    } else if (omp_get_thread_num() == 2) {
      await(&child_in);
      for (int i = 0; i < want_lock; ++i) {
#pragma omp task shared(ran)
        {
          omp_set_lock(lock);
          ++ran;
          omp_unset_lock(lock);
        }
      }
      store(&others_are_there, 1);
    }
  }
  check(ran == want_lock, "%d of %d tasks that wanted the lock had it", ran, want_lock);
}

int main(void) {
  const int n = omp_get_max_threads();
  omp_lock_t lock;
  int inside = 0, inside_critical = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task shared(inside, lock)
    with_lock(&lock, &inside);
#pragma omp task shared(inside_critical)
    with_critical(&inside_critical);
  }
  check(sum == 1600, "%d leaves ran, not 1600", sum);
  for (int repeat = 0; repeat < 20; ++repeat) wait_beside_others(&lock);
  omp_destroy_lock(&lock);
  return 0;
}
