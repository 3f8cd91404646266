// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short tasks, by who makes them and who waits for them.
#include "measure.h"

enum { tasks = 200000, many = 1600000, few = 10000, depth = 17, nested = 16 };

static uint64_t checked(double start, double* seconds, uint64_t expected) {
  return end_of(start, seconds, expected, "not every task ran once");
}

/// Unit: a task; each member makes as many.
uint64_t measure_parallel_task(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < many; ++i) {
#pragma omp task
    work_a_little();
  }
  return checked(start, seconds, of_all(many));
}

/// Unit: a task; the master makes all of them, and the others wait.
uint64_t measure_master_task(double* seconds) {
  const double start = start_of();
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < tasks; ++i) {
#pragma omp task
    work_a_little();
  }
  return checked(start, seconds, tasks);
}

/// Unit: a task; the master makes all of them, and the others do something else.
uint64_t measure_busy(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < tasks; ++i) {
#pragma omp task
      work_a_little();
    }
  } else {
    for (int i = 0; i < tasks; ++i) work_a_little();
  }
  return checked(start, seconds, of_all(tasks)) / (uint64_t)omp_get_max_threads();
}

/// Unit: a task that its clause makes run at once.
uint64_t measure_conditional(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < many; ++i) {
#pragma omp task if (omp_in_parallel() < 0)
    work_a_little();
  }
  return checked(start, seconds, of_all(many));
}

/// Unit: a task, and a wait for it.
uint64_t measure_taskwait(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < tasks; ++i) {
#pragma omp task
    work_a_little();
#pragma omp taskwait
  }
  return checked(start, seconds, of_all(tasks));
}

/// Unit: a task of each member, and a barrier.
uint64_t measure_task_barrier(double* seconds) {
  const int count = enough(few);
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp task
    work_a_little();
#pragma omp barrier
  }
  return checked(start, seconds, of_all((uint64_t)count)) / (uint64_t)omp_get_max_threads();
}

/// Unit: a task, and a taskyield.
uint64_t measure_taskyield(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < many; ++i) {
#pragma omp task
    work_a_little();
#pragma omp taskyield
  }
  return checked(start, seconds, of_all(many));
}

static void make_and_wait(void) {
  for (int i = 0; i < nested; ++i) {
#pragma omp task
    work_a_little();
  }
#pragma omp taskwait
}

/// Unit: a task in a task; each member makes as many of the outer ones, which wait for theirs.
uint64_t measure_nested_task(double* seconds) {
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < many / nested; ++i) {
#pragma omp task
    make_and_wait();
  }
  return checked(start, seconds, of_all(many / nested * nested));
}

/// Unit: a task in a task; the master makes the outer ones.
uint64_t measure_nested_master(double* seconds) {
  const double start = start_of();
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < tasks / nested; ++i) {
#pragma omp task
    make_and_wait();
  }
  return checked(start, seconds, tasks / nested * nested);
}

/// Two for each that is not at the bottom, and a wait for them. `everywhere`: those above work, too.
static void grow(int levels, int everywhere) {
  if (levels == 0 || everywhere) work_a_little();
  if (levels == 0) return;
#pragma omp task
  grow(levels - 1, everywhere);
#pragma omp task
  grow(levels - 1, everywhere);
#pragma omp taskwait
}

static uint64_t measure_tree(double* seconds, int everywhere) {
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  grow(depth, everywhere);
  const uint64_t leaves = (uint64_t)1 << depth, all = 2 * leaves - 1;
  checked(start, seconds, everywhere ? all : leaves);
  return all - 1;
}

/// Unit: a task of a tree.
uint64_t measure_branch_tree(double* seconds) { return measure_tree(seconds, 1); }
uint64_t measure_leaf_tree(double* seconds) { return measure_tree(seconds, 0); }
