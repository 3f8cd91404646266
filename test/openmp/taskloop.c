// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskloop over int, long and unsigned long long, with each of its clauses.
#include "check.h"

#include <limits.h>
#include <omp.h>

enum { size = 500 };

static int hits[size], tasks[size], serial;

static void note(int index) { add(&hits[index], 1); }

/// Returns: the number of different tasks that ran COUNT iterations; each variable of a task has one value in tasks[].
static int count_tasks(int count) {
  int highest = 0;
  for (int i = 0; i < count; ++i) highest = tasks[i] > highest ? tasks[i] : highest;
  serial = 0;
  return highest;
}

static void amounts(void) {
#pragma omp taskloop grainsize(7)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("grainsize(7)", hits, size);
#pragma omp taskloop num_tasks(9)
  for (int i = size; i > 0; --i) note(i - 1);
  expect_each_once("num_tasks(9)", hits, size);
#pragma omp taskloop
  for (long i = 100; i < 100 + 3 * 50; i += 3) note((int)(i - 100) / 3);
  expect_each_once("step 3", hits, 50);
#pragma omp taskloop grainsize(strict : 30)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("grainsize(strict:30)", hits, size);
#pragma omp taskloop num_tasks(strict : 11)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("num_tasks(strict:11)", hits, size);
#pragma omp taskloop grainsize(100000)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("grainsize(100000)", hits, size);
#pragma omp taskloop num_tasks(100000)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("num_tasks(100000)", hits, size);
}

static void wide(void) {
#pragma omp taskloop grainsize(7)
  for (unsigned long long i = 0; i < size; ++i) note((int)i);
  expect_each_once("unsigned long long", hits, size);
#pragma omp taskloop num_tasks(5)
  for (unsigned long long i = ULLONG_MAX; i > ULLONG_MAX - size; --i) note((int)(ULLONG_MAX - i));
  expect_each_once("unsigned long long, downwards", hits, size);
#pragma omp taskloop num_tasks(strict : 5)
  for (unsigned long long i = ULLONG_MAX - 99; i < ULLONG_MAX; i += 3) note((int)((i - ULLONG_MAX + 99) / 3));
  expect_each_once("unsigned long long, step 3", hits, 33);
}

/// OWN is the task's copy of a firstprivate variable, 0 at first: it gets one value for each task.
static void number_task(int index, int* own) {
  if (*own == 0) *own = add(&serial, 1) + 1;
  tasks[index] = *own;
}

/// How many tasks there are.
static void sizes(void) {
  int own = 0;
#pragma omp taskloop grainsize(20) firstprivate(own)
  for (int i = 0; i < size; ++i) number_task(i, &own);
  const int with_grain = count_tasks(size);
  check(with_grain > size / 40 && with_grain <= size / 20, "grainsize(20) made %d tasks of 500 iterations", with_grain);
#pragma omp taskloop num_tasks(8) firstprivate(own)
  for (int i = 0; i < size; ++i) number_task(i, &own);
  const int with_count = count_tasks(size);
  check(with_count == 8, "num_tasks(8) made %d tasks", with_count);
#pragma omp taskloop grainsize(strict : 30) firstprivate(own)
  for (int i = 0; i < size; ++i) number_task(i, &own);
  const int strict = count_tasks(size);
  check(strict == 17, "grainsize(strict:30) made %d tasks of 500 iterations, not 17", strict);
}

static void data_clauses(void) {
  int last = -1, first = 4, sum = 0;
#pragma omp taskloop lastprivate(last) firstprivate(first) shared(sum) untied priority(2)
  for (int i = 0; i < size; ++i) {
    last = i + first;
    add(&sum, 1);
  }
  check(last == size - 1 + 4 && sum == size, "lastprivate of a taskloop is %d, its iterations %d", last, sum);
  for (int yes = 0; yes < 2; ++yes) {
#pragma omp taskloop if (yes) final(!yes) mergeable num_tasks(4)
    for (int i = 0; i < size; ++i) note(i);
    expect_each_once("if and final", hits, size);
  }
#pragma omp taskloop collapse(2) grainsize(3)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j) note(i * 20 + j);
  expect_each_once("collapse(2)", hits, 200);
  int ran = 0;
#pragma omp taskloop shared(ran)
  for (int i = 5; i < 5; ++i) add(&ran, 1);
  check(ran == 0, "an empty taskloop ran %d iterations", ran);
}

static void group_or_not(void) {
  int passed = 0;
#pragma omp taskloop num_tasks(2) shared(passed)
  for (int i = 0; i < 2; ++i) check(stays_clear(&passed), "a member is past a taskloop while a task of it is running");
  store(&passed, 1);
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup num_tasks(6)
    for (int i = 0; i < size; ++i) note(i);
  }
  expect_each_once("nogroup, in a taskgroup", hits, size);
#pragma omp taskloop nogroup grainsize(9)
  for (unsigned long long i = 0; i < size; ++i) note((int)i);
#pragma omp taskwait
  expect_each_once("nogroup and taskwait", hits, size);
}

int main(void) {
  const int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    amounts();
    wide();
    sizes();
    data_clauses();
    group_or_not();
  }
  amounts();  // outside of any region
  wide();
#pragma omp parallel num_threads(n)
#pragma omp master
#pragma omp taskloop simd grainsize(10)
  for (int i = 0; i < size; ++i) note(i);
  expect_each_once("taskloop simd", hits, size);
  return 0;
}
