// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions as gcc before 4.9 opened them: a call at the start, the body called by the opener too, and a call at the end.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

enum { most = 16, iterations = 100 };

static int arrived, members, opened, hits[iterations];

static void plain(void* data) {
  check(data == &members, "the body's argument is lost");
  add(&members, 1);
  // The opener may not get past the end before everybody is done.
  if (omp_get_thread_num() != 0) check(stays_clear(&opened), "the region is over while a member is in it");
}

static void static_loop(void* data) {
  long from, to;
  (void)data;
  meet(&arrived, omp_get_num_threads());
  while (GOMP_loop_static_next(&from, &to))
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  GOMP_loop_end_nowait();
}

static void dynamic_loop(void* data) {
  long from, to;
  (void)data;
  while (GOMP_loop_dynamic_next(&from, &to))
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  GOMP_loop_end_nowait();
}

static void guided_loop(void* data) {
  long from, to;
  (void)data;
  while (GOMP_loop_guided_next(&from, &to))
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  GOMP_loop_end_nowait();
}

static void runtime_loop(void* data) {
  long from, to;
  (void)data;
  while (GOMP_loop_runtime_next(&from, &to))
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  GOMP_loop_end_nowait();
}

static void sections(void* data) {
  (void)data;
  for (unsigned i; (i = GOMP_sections_next()) != 0;) add(&hits[i - 1], 1);
  GOMP_sections_end_nowait();
}

static void check_hits(const char* what, int count) {
  for (int i = 0; i < count; ++i) {
    check(hits[i] == 1, "%s: iteration %d ran %d times", what, i, hits[i]);
    hits[i] = 0;
  }
  arrived = 0;
}

static void pair(unsigned n) {
  members = opened = 0;
  GOMP_parallel_start(plain, &members, n);
  plain(&members);
  GOMP_parallel_end();
  store(&opened, 1);
  check(members == (int)n, "%d members ran, not %u", members, n);
}

static void loops(unsigned n) {
  GOMP_parallel_loop_static_start(static_loop, 0, n, 0, iterations, 1, 3);
  static_loop(0);
  GOMP_parallel_end();
  check_hits("static", iterations);
  GOMP_parallel_loop_dynamic_start(dynamic_loop, 0, n, 0, iterations, 1, 3);
  dynamic_loop(0);
  GOMP_parallel_end();
  check_hits("dynamic", iterations);
  GOMP_parallel_loop_guided_start(guided_loop, 0, n, 0, iterations, 1, 1);
  guided_loop(0);
  GOMP_parallel_end();
  check_hits("guided", iterations);
  omp_set_schedule(omp_sched_dynamic, 2);
  GOMP_parallel_loop_runtime_start(runtime_loop, 0, n, 0, iterations, 1);
  runtime_loop(0);
  GOMP_parallel_end();
  check_hits("runtime", iterations);
  GOMP_parallel_sections_start(sections, 0, n, 7);
  sections(0);
  GOMP_parallel_end();
  check_hits("sections", 7);
}

int main(void) {
  const unsigned n = (unsigned)omp_get_max_threads();
  pair(n);
  pair(1);
  pair(4);
  loops(n);
  loops(1);
  loops(4);
  int outside = 0;
#pragma omp parallel num_threads(2) reduction(+ : outside)
  outside += omp_get_num_threads();
  check(outside == 4, "a region after those has not 2 members");
  return 0;
}
