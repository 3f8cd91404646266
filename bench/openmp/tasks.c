// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of tasks without cut-off: fib(30), nqueens(12), and Korch & Rauber's synthetic tree with empty tasks (k = 30, f = 0).
#include "measure.h"

#include <string.h>

enum { fib_n = 30, fib_answer = 832040, fib_tasks = 2692536, counted_n = 25, counted_answer = 75025, counted_tasks = 242784 };
enum { board = 12, solutions = 14200, placements = 856188 };
enum { synthetic_k = 30, synthetic_tasks = 7049122 };
enum { loops = 20000, of_a_loop = 64, tree_n = 22, tree_leaves = 28657, tree_tasks = 57312 };

static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

/// The same, counting: to show that tasks were tasks and who ran them. Not timed.
static int counted_fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  {
    count_one();
    a = counted_fib(n - 1);
  }
#pragma omp task shared(b)
  {
    count_one();
    b = counted_fib(n - 2);
  }
#pragma omp taskwait
  return a + b;
}

/// Unit: a task; two of them in each call.
uint64_t measure_fib(double* seconds) {
  int answer = 0, counted = 0;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  answer = fib(fib_n);
  *seconds = omp_get_wtime() - start;
#pragma omp parallel
#pragma omp single
  counted = counted_fib(counted_n);
  verify(answer == fib_answer && counted == counted_answer, "fib");
  verify_count(counted_tasks);
  return fib_tasks;
}

static int is_free(const signed char* columns, int row, int column) {
  for (int above = 0; above < row; ++above) {
    const int distance = row - above, other = columns[above];
    if (other == column || other + distance == column || other - distance == column) return 0;
  }
  return 1;
}

static int place(const signed char* columns, int row) {
  int found[board];
  if (row == board) return 1;
  memset(found, 0, sizeof found);
  for (int column = 0; column < board; ++column) {
    if (!is_free(columns, row, column)) continue;
#pragma omp task shared(found) firstprivate(column)
    {
      signed char more[board];
      memcpy(more, columns, (size_t)row);
      more[row] = (signed char)column;
      count_one();
      found[column] = place(more, row + 1);
    }
  }
#pragma omp taskwait
  int sum = 0;
  for (int column = 0; column < board; ++column) sum += found[column];
  return sum;
}

/// Unit: a task, one for each queen that can be placed.
uint64_t measure_nqueens(double* seconds) {
  const signed char empty[board] = {0};
  int found = 0;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  found = place(empty, 0);
  *seconds = omp_get_wtime() - start;
  verify(found == solutions, "nqueens");
  verify_count(placements);
  return placements;
}

static void empty_task(int i) {
  count_one();
  if (i <= 0) return;
#pragma omp task
  empty_task(i - 2);
#pragma omp task
  empty_task(i - 1);
}

/// Unit: a task; nobody waits for one before the end.
uint64_t measure_synthetic(double* seconds) {
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (int i = synthetic_k - 1; i >= 0; --i) {
#pragma omp task firstprivate(i)
    empty_task(i);
  }
  *seconds = omp_get_wtime() - start;
  verify_count(synthetic_tasks);
  return synthetic_tasks;
}

/// Unit: a taskloop with a sum over it, of 64 iterations, as many tasks as it has by itself.
uint64_t measure_taskloop(double* seconds) {
  uint64_t sum = 0;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < loops; ++round) {
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < of_a_loop; ++i) sum += (uint64_t)i;
  }
  *seconds = omp_get_wtime() - start;
  verify(sum == (uint64_t)loops * of_a_loop * (of_a_loop - 1) / 2, "a taskloop's sum");
  return loops;
}

static void add_leaves(int n, uint64_t* sum) {
  if (n < 2) {
    *sum += 1;
    return;
  }
#pragma omp task in_reduction(+ : sum[0])
  add_leaves(n - 1, sum);
#pragma omp task in_reduction(+ : sum[0])
  add_leaves(n - 2, sum);
}

/// Unit: a task of a tree, all of which take part in the reduction of their taskgroup.
uint64_t measure_reduction(double* seconds) {
  uint64_t leaves = 0, *const sum = &leaves;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum[0])
  add_leaves(tree_n, sum);
  *seconds = omp_get_wtime() - start;
  verify(leaves == tree_leaves, "a tree's sum");
  return tree_tasks;
}
