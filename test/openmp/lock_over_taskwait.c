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
  omp_destroy_lock(&lock);
  return 0;
}
