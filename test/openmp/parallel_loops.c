// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that opens a region for the sake of one loop.
#include "check.h"
#include "entry_points.h"

#include <omp.h>

enum { iterations = 150 };

struct run {
  loop_next* next;
  int hits[iterations];
  int members;
  bool any_order;  ///< a member may get its chunks in any order
};

static void body(void* data) {
  struct run* mine = data;
  long from, to, last = -1;
  add(&mine->members, 1);
  while (mine->next(&from, &to)) {
    check(mine->any_order || from > last, "a member gets iteration %ld behind iteration %ld", from, last);
    last = to - 1;
    for (long i = from; i < to; ++i) add(&mine->hits[i], 1);
  }
  GOMP_loop_end_nowait();
}

static void check_run(const char* name, struct run* of, unsigned n) {
  check(of->members == (int)n, "%s: %d members, not %u", name, of->members, n);
  expect_each_once(name, of->hits, iterations);
}

static void with_chunk(const char* name, parallel_loop* open, loop_next* next, unsigned n, bool any_order) {
  for (long chunk = 1; chunk < 60; chunk += 29) {
    struct run data = {next, {0}, 0, any_order};
    open(body, &data, n, 0, iterations, 1, chunk, 0);
    check_run(name, &data, n);
  }
}

static void without_chunk(const char* name, parallel_loop_runtime* open, loop_next* next, unsigned n, bool any_order) {
  const omp_sched_t schedules[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int i = 0; i < 4; ++i) {
    struct run data = {next, {0}, 0, any_order};
    omp_set_schedule(schedules[i], 3);
    open(body, &data, n, 0, iterations, 1, 0);
    check_run(name, &data, n);
  }
}

static void all(unsigned n) {
  with_chunk("static", GOMP_parallel_loop_static, GOMP_loop_static_next, n, false);
  with_chunk("dynamic", GOMP_parallel_loop_dynamic, GOMP_loop_dynamic_next, n, false);
  with_chunk("guided", GOMP_parallel_loop_guided, GOMP_loop_guided_next, n, false);
  with_chunk("nonmonotonic:dynamic", GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_loop_nonmonotonic_dynamic_next, n, true);
  with_chunk("nonmonotonic:guided", GOMP_parallel_loop_nonmonotonic_guided, GOMP_loop_nonmonotonic_guided_next, n, true);
  without_chunk("runtime", GOMP_parallel_loop_runtime, GOMP_loop_runtime_next, n, false);
  without_chunk("nonmonotonic:runtime", GOMP_parallel_loop_nonmonotonic_runtime, GOMP_loop_nonmonotonic_runtime_next, n, true);
  without_chunk("runtime, as it may be", GOMP_parallel_loop_maybe_nonmonotonic_runtime, GOMP_loop_maybe_nonmonotonic_runtime_next,
                n, true);
}

int main(void) {
  const unsigned n = (unsigned)omp_get_max_threads();
  all(n);
  all(1);
  all(4);
  return 0;
}
