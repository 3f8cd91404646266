// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops as programs write them: schedules, data clauses, collapse, scan, widths, directions.
#include "check.h"

#include <limits.h>
#include <omp.h>

enum { size = 333 };

static int hits[size];

#define TEFF_LOOP(directive, type, first, condition, step, index, count)         \
  _Pragma(directive) for (type i = first; condition; step) add(&hits[index], 1); \
  expect_each_once(directive, hits, count);

static void schedules(int n) {
  omp_set_num_threads(n);
  omp_set_schedule(omp_sched_guided, 4);
  TEFF_LOOP("omp parallel for", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(static, 7)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(dynamic)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(dynamic, 7)", long, size, i > 0, --i, i - 1, size)
  TEFF_LOOP("omp parallel for schedule(guided, 3)", int, -5, i < size - 5, i += 2, (i + 5) / 2, (size + 1) / 2)
  TEFF_LOOP("omp parallel for schedule(runtime)", short, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(auto)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(monotonic : dynamic, 2)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(nonmonotonic : guided)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(nonmonotonic : runtime)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(monotonic : runtime)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(simd : static)", int, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(dynamic)", unsigned long long, 0, i < size, ++i, i, size)
  TEFF_LOOP("omp parallel for schedule(guided)", unsigned long long, size, i > 0, --i, i - 1, size)
  TEFF_LOOP("omp parallel for schedule(runtime)", unsigned long long, ULLONG_MAX - size, i < ULLONG_MAX, ++i,
            i + size + 1 - 1 - ULLONG_MAX, size)
  TEFF_LOOP("omp parallel for schedule(static, 2)", unsigned long long, 0, i < size, i += 3, i / 3, size / 3)
}

static void data_clauses(int n) {
  int last = -1, sum = 0, base = 3, linear = 10;
#pragma omp parallel num_threads(n)
  {
#pragma omp for schedule(dynamic, 4) lastprivate(last) reduction(+ : sum) firstprivate(base)
    for (int i = 0; i < size; ++i) {
      last = i + base;
      sum += i;
    }
    check(last == size - 1 + 3, "lastprivate gave %d, not %d", last, size + 2);
    check(sum == size * (size - 1) / 2, "past the loop the reduction is %d", sum);
  }
#pragma omp parallel for num_threads(n) linear(linear : 2)
  for (int i = 0; i < size; ++i) {
    check(linear == 10 + 2 * i, "linear is %d in iteration %d", linear, i);
    linear += 2;
  }
  check(linear == 10 + 2 * size, "past the loop linear is %d", linear);
}

static void conditional_lastprivate(int n) {
  static int last;
#pragma omp parallel for num_threads(n) schedule(dynamic, 2) lastprivate(conditional : last)
  for (int i = 0; i < size; ++i) {
    if (i % 100 == 99) last = i;
  }
  check(last == 299, "lastprivate(conditional) gave %d, not 299", last);
}

static void collapsed(int n) {
#pragma omp parallel for collapse(3) schedule(dynamic, 5) num_threads(n)
  for (int i = 0; i < 3; ++i) {
    for (int j = 10; j > 0; j -= 2) {
      for (unsigned char k = 0; k < 20; ++k) add(&hits[i * 100 + (10 - j) / 2 * 20 + k], 1);
    }
  }
  expect_each_once("collapse(3)", hits, 300);
#pragma omp parallel for collapse(2) num_threads(n)
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j <= i; ++j) add(&hits[i * (i + 1) / 2 + j], 1);
  }
  expect_each_once("collapse(2), not rectangular", hits, 210);
}

static void scan(int n) {
  static int inclusive[size], exclusive[size];
  int sum = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp for reduction(inscan, + : sum)
    for (int i = 0; i < size; ++i) {
      sum += i;
#pragma omp scan inclusive(sum)
      inclusive[i] = sum;
    }
  }
  check(sum == size * (size - 1) / 2, "the sum of the scan is %d", sum);
  sum = 0;
#pragma omp parallel for reduction(inscan, + : sum) num_threads(n)
  for (int i = 0; i < size; ++i) {
    exclusive[i] = sum;
#pragma omp scan exclusive(sum)
    sum += i;
  }
  for (int i = 0; i < size; ++i) {
    check(inclusive[i] == i * (i + 1) / 2, "the inclusive scan is %d at %d", inclusive[i], i);
    check(exclusive[i] == i * (i - 1) / 2, "the exclusive scan is %d at %d", exclusive[i], i);
  }
}

/// Two static loops of the same size without wait between them: a member has the same iterations in both.
static void same_iterations(int n) {
  static int owner[size];
#pragma omp parallel num_threads(n)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < size; ++i) owner[i] = omp_get_thread_num();
#pragma omp for schedule(static)
    for (int i = 0; i < size; ++i)
      check(owner[i] == omp_get_thread_num(), "iteration %d went to members %d and %d", i, owner[i], omp_get_thread_num());
  }
}

/// An orphaned loop, in a region and outside of any.
static void orphan(void) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
}

static void empty_and_huge(int n) {
  int ran = 0;
#pragma omp parallel for schedule(dynamic) num_threads(n) reduction(+ : ran)
  for (int i = 10; i < 5; ++i) ++ran;
#pragma omp parallel for schedule(guided, 1 << 28) num_threads(n) reduction(+ : ran)
  for (int i = INT_MIN; i < INT_MAX - (1 << 28); i += 1 << 28) ++ran;
#pragma omp parallel for schedule(dynamic, LONG_MAX) num_threads(n) reduction(+ : ran)
  for (long i = 0; i < 10; ++i) ++ran;
  // What eight members take at once adds up to 2^64, and more.
#pragma omp parallel for schedule(dynamic, 1L << 62) num_threads(n) reduction(+ : ran)
  for (long i = 0; i < 10; ++i) ++ran;
  check(ran == 15 + 10 + 10, "loops at the limits ran %d times, not 35", ran);
}

int main(void) {
  const int n = omp_get_max_threads();
  schedules(n);
  data_clauses(n);
  conditional_lastprivate(n);
  collapsed(n);
  scan(n);
  same_iterations(n);
  orphan();
  expect_each_once("orphan, no region", hits, size);
#pragma omp parallel num_threads(n)
  orphan();
  expect_each_once("orphan", hits, size);
  empty_and_huge(n);
  return 0;
}
