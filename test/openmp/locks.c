// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain and nested locks. Their memory holds garbage before they are initialised.
#include "check.h"

#include <omp.h>
#include <string.h>

static void plain(int n) {
  omp_lock_t lock;
  int inside = 0, sum = 0, arrived = 0;
  memset(&lock, 0xff, sizeof lock);
  omp_init_lock(&lock);
  check(omp_test_lock(&lock) != 0, "omp_test_lock does not get a free lock");
  check(omp_test_lock(&lock) == 0, "omp_test_lock gets a lock that is held");
  omp_unset_lock(&lock);
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 10; ++i) {
      if (i % 2) {
        while (!omp_test_lock(&lock)) sched_yield();
      } else {
        omp_set_lock(&lock);
      }
      be_alone(&inside, "a lock");
      sum += 1;
      omp_unset_lock(&lock);
    }
  }
  check(sum == 10 * n, "%d of %d turns with a lock ran", sum, 10 * n);
  omp_set_lock(&lock);
  check(omp_test_lock(&lock) == 0, "omp_test_lock gets a lock that omp_set_lock holds");
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
}

static void nested(int n) {
  omp_nest_lock_t lock;
  int inside = 0, sum = 0, arrived = 0;
  memset(&lock, 0xff, sizeof lock);
  omp_init_nest_lock(&lock);
  check(omp_test_nest_lock(&lock) == 1, "omp_test_nest_lock does not get a free lock");
  omp_set_nest_lock(&lock);
  check(omp_test_nest_lock(&lock) == 3, "a lock that was taken twice is not taken the third time");
  for (int i = 0; i < 3; ++i) omp_unset_nest_lock(&lock);
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 6; ++i) {
      omp_set_nest_lock(&lock);
      omp_set_nest_lock(&lock);
      check(omp_test_nest_lock(&lock) == 3, "a nested lock has a wrong depth");
      omp_unset_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
      be_alone(&inside, "a nested lock");
      sum += 1;
      omp_unset_nest_lock(&lock);
    }
  }
  check(sum == 6 * n, "%d of %d turns with a nested lock ran", sum, 6 * n);
  omp_destroy_nest_lock(&lock);
}

/// The owner is the task: another member, and another task of the same member, do not get it.
static void owners(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  int held = 0, tried = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_nest_lock(&lock);
      store(&held, 1);
      while (!load(&tried)) sched_yield();
      int in_task = -1;
#pragma omp task if (0) shared(in_task)
      in_task = omp_test_nest_lock(&lock);
      check(in_task == 0, "a child task gets the nested lock of its parent");
      omp_unset_nest_lock(&lock);
    } else {
      while (!load(&held)) sched_yield();
      check(omp_test_nest_lock(&lock) == 0, "another member gets a nested lock that is held");
      store(&tried, 1);
    }
  }
  omp_destroy_nest_lock(&lock);
}

int main(void) {
  const int n = omp_get_max_threads();
  plain(n);
  plain(4);
  nested(n);
  nested(4);
  owners();
  return 0;
}
