// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions as gcc before 4.9 opened them: a call at the start, the body called by the opener too, and a call at the end.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

enum { iterations = 100 };

static int arrived, members, opened, hits[iterations];

static void plain(void* data) {
  check(data == &members, "the body's argument is lost");
  add(&members, 1);
  // The opener may not get past the end before everybody is done.
  if (omp_get_thread_num() != 0) check(stays_clear(&opened), "the region is over while a member is in it");
}

static void run_chunks(loop_next* next) {
  long from, to;
  while (next(&from, &to))
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  GOMP_loop_end_nowait();
}

static void static_loop(void* data) {
  (void)data;
  meet(&arrived, omp_get_num_threads());
  run_chunks(GOMP_loop_static_next);
}

static void dynamic_loop(void* data) {
  (void)data;
  run_chunks(GOMP_loop_dynamic_next);
}

static void guided_loop(void* data) {
  (void)data;
  run_chunks(GOMP_loop_guided_next);
}

static void runtime_loop(void* data) {
  (void)data;
  run_chunks(GOMP_loop_runtime_next);
}

static void sections(void* data) {
  (void)data;
  for (unsigned i; (i = GOMP_sections_next()) != 0;) add(&hits[i - 1], 1);
  GOMP_sections_end_nowait();
}

static void pair(unsigned n) {
  members = opened = 0;
  GOMP_parallel_start(plain, &members, n);
  plain(&members);
  GOMP_parallel_end();
  store(&opened, 1);
  check(members == (int)n, "%d members ran, not %u", members, n);
}

/// What the opener does after the call at the start.
static void take_part(const char* what, outlined* body, int count) {
  body(0);
  GOMP_parallel_end();
  expect_each_once(what, hits, count);
}

static void loops(unsigned n) {
  arrived = 0;
  GOMP_parallel_loop_static_start(static_loop, 0, n, 0, iterations, 1, 3);
  take_part("static", static_loop, iterations);
  GOMP_parallel_loop_dynamic_start(dynamic_loop, 0, n, 0, iterations, 1, 3);
  take_part("dynamic", dynamic_loop, iterations);
  GOMP_parallel_loop_guided_start(guided_loop, 0, n, 0, iterations, 1, 1);
  take_part("guided", guided_loop, iterations);
  omp_set_schedule(omp_sched_dynamic, 2);
  GOMP_parallel_loop_runtime_start(runtime_loop, 0, n, 0, iterations, 1);
  take_part("runtime", runtime_loop, iterations);
  GOMP_parallel_sections_start(sections, 0, n, 7);
  take_part("sections", sections, 7);
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
