// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What members do by turns, or one for all: single, ordered, and one that makes tasks for the others, empty ones or long ones.
#include "measure.h"

enum { singles = 400000, turns = 20000, produced = 200000, long_tasks = 200, brief_before_each = 2, in_a_long_one = 10000 };

/// Unit: a single without a barrier, which all members come to.
uint64_t measure_single(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < singles; ++i) {
#pragma omp single nowait
    count_one();
  }
  *seconds = omp_get_wtime() - start;
  verify(total_count() == singles, "not every single ran once");
  return singles;
}

/// Unit: an iteration of an ordered loop, which consists of its ordered region.
uint64_t measure_ordered(double* seconds) {
  int due = 0, wrong = 0;
  const double start = start_of();
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (int i = 0; i < turns; ++i) {
#pragma omp ordered
    {
      wrong += due != i;
      due = i + 1;
      count_one();
    }
  }
  *seconds = omp_get_wtime() - start;
  verify(wrong == 0 && due == turns, "ordered regions ran out of order");
  verify(total_count() == turns, "not every ordered region ran once");
  return turns;
}

/// Unit: an empty task; one member makes all of them.
uint64_t measure_producer(double* seconds) {
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < produced; ++i) {
#pragma omp task
    count_one();
  }
  return end_of(start, seconds, produced, "not every task ran once");
}

static void work_for_long(void) {
  for (int i = 0; i < in_a_long_one; ++i) work_a_little();
}

/// Unit: a task of 100 to 150 microseconds, made behind empty ones by a member that works as long itself, and then waits for it.
uint64_t measure_behind_brief(double* seconds) {
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < long_tasks; ++i) {
    for (int brief = 0; brief < brief_before_each; ++brief) {
#pragma omp task
      count_one();
    }
#pragma omp task
    work_for_long();
    work_for_long();
#pragma omp taskwait
  }
  end_of(start, seconds, (uint64_t)long_tasks * (brief_before_each + 2 * in_a_long_one), "not every task ran once");
  return long_tasks;
}
