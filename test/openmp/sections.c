// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sections: with their data clauses, with and without wait, combined with parallel.
#include "check.h"
#include "entry_points.h"
#include "memory.h"

#include <omp.h>

static int runs[8];

static void plain(int n) {
  int last = -1, sum = 0, first = 5;
#pragma omp parallel num_threads(n)
  {
#pragma omp sections lastprivate(last) reduction(+ : sum) firstprivate(first)
    {
#pragma omp section
      add(&runs[0], 1), last = first, sum += 1;
#pragma omp section
      add(&runs[1], 1), last = first + 1, sum += 10;
#pragma omp section
      add(&runs[2], 1), last = first + 2, sum += 100;
    }
    check(last == 7, "past sections the last one's value is %d, not 7", last);
  }
  expect_each_once("sections", runs, 3);
  check(sum == 111, "the reduction over sections is %d, not 111", sum);
}

static void combined(int n) {
#pragma omp parallel sections num_threads(n)
  {
#pragma omp section
    add(&runs[0], 1);
#pragma omp section
    add(&runs[1], 1);
#pragma omp section
    add(&runs[2], 1);
#pragma omp section
    add(&runs[3], 1);
#pragma omp section
    add(&runs[4], 1);
  }
  expect_each_once("parallel sections", runs, 5);
}

/// gcc calls GOMP_sections2_start, which gives the team memory to note who was last.
static void conditional(int n) {
  static int last;
  last = -1;
#pragma omp parallel num_threads(n)
  {
#pragma omp sections lastprivate(conditional : last)
    {
#pragma omp section
      add(&runs[0], 1), last = 10;
#pragma omp section
      add(&runs[1], 1), last = 11;
#pragma omp section
      if (add(&runs[2], 1) > 5) last = 12;
    }
  }
  expect_each_once("conditional", runs, 3);
  check(last == 11, "lastprivate(conditional) gave %d, not 11", last);
}

static void waits_or_not(void) {
  int passed = 0, arrived = 0, together = 0;
#pragma omp parallel num_threads(2)
  {
    meet(&arrived, 2);
#pragma omp sections
    {
#pragma omp section
      check(stays_clear(&passed), "a member is past sections while one is running");
    }
    store(&passed, 1);
#pragma omp sections nowait
    {
#pragma omp section
      meet(&together, 2);  // the other member has to come past the sections
    }
    if (load(&together) < 2) {
#pragma omp critical
      if (load(&together) < 2) add(&together, 1);
    }
  }
}

static int two_sections(void) {
  int ran = 0;
#pragma omp sections nowait
  {
#pragma omp section
    ++ran;
#pragma omp section
    ++ran;
  }
  return ran;
}

int main(void) {
  const int n = omp_get_max_threads();
  plain(n);
  plain(4);
  combined(n);
  combined(1);
  conditional(n);
  waits_or_not();
  bounded_memory(two_sections);
  return 0;
}
