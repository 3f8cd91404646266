// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that starts or continues a loop over long: every iteration once, in chunks as the schedule promises.
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <string.h>

enum { most_iterations = 200 };
enum kind { in_turns, chunks, at_least, any };

static bool no_chunk(runtime_start* start, const long* of, long* from, long* to) { return start(of[0], of[1], of[2], from, to); }
#define TEFF_RUNTIME(name)                                                                   \
  static bool of_##name(long start, long end, long step, long chunk, long* from, long* to) { \
    (void)chunk;                                                                             \
    return no_chunk(GOMP_loop_##name, (const long[]){start, end, step}, from, to);           \
  }
TEFF_RUNTIME(runtime_start)
TEFF_RUNTIME(nonmonotonic_runtime_start)
TEFF_RUNTIME(maybe_nonmonotonic_runtime_start)
TEFF_RUNTIME(ordered_runtime_start)

/// The numbers of schedules as gcc passes them: 1 static, 2 dynamic, 3 guided, 0 and 4 runtime; the top bit means monotonic.
#define TEFF_ANY(name, function, schedule)                                              \
  static bool name(long start, long end, long step, long chunk, long* from, long* to) { \
    return function(start, end, step, schedule, chunk, from, to, NULL, NULL);           \
  }
TEFF_ANY(any_static, GOMP_loop_start, 0x80000001)
TEFF_ANY(any_dynamic, GOMP_loop_start, 2)
TEFF_ANY(any_guided, GOMP_loop_start, 3)
TEFF_ANY(any_runtime, GOMP_loop_start, 0)
TEFF_ANY(any_monotonic_runtime, GOMP_loop_start, 0x80000000)
TEFF_ANY(any_nonmonotonic_runtime, GOMP_loop_start, 4)
TEFF_ANY(any_ordered_static, GOMP_loop_ordered_start, 0x80000001)
TEFF_ANY(any_ordered_dynamic, GOMP_loop_ordered_start, 0x80000002)
TEFF_ANY(any_ordered_guided, GOMP_loop_ordered_start, 0x80000003)
TEFF_ANY(any_ordered_runtime, GOMP_loop_ordered_start, 0x80000000)

struct loop {
  const char* name;
  loop_start* start;
  loop_next* next;
  enum kind kind;
  bool ordered;
};

static const struct loop loops[] = {
    {"static", GOMP_loop_static_start, GOMP_loop_static_next, in_turns, false},
    {"dynamic", GOMP_loop_dynamic_start, GOMP_loop_dynamic_next, chunks, false},
    {"guided", GOMP_loop_guided_start, GOMP_loop_guided_next, at_least, false},
    {"runtime", of_runtime_start, GOMP_loop_runtime_next, any, false},
    {"nonmonotonic_dynamic", GOMP_loop_nonmonotonic_dynamic_start, GOMP_loop_nonmonotonic_dynamic_next, chunks, false},
    {"nonmonotonic_guided", GOMP_loop_nonmonotonic_guided_start, GOMP_loop_nonmonotonic_guided_next, at_least, false},
    {"nonmonotonic_runtime", of_nonmonotonic_runtime_start, GOMP_loop_nonmonotonic_runtime_next, any, false},
    {"maybe_nonmonotonic_runtime", of_maybe_nonmonotonic_runtime_start, GOMP_loop_maybe_nonmonotonic_runtime_next, any, false},
    {"ordered_static", GOMP_loop_ordered_static_start, GOMP_loop_ordered_static_next, in_turns, true},
    {"ordered_dynamic", GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_dynamic_next, chunks, true},
    {"ordered_guided", GOMP_loop_ordered_guided_start, GOMP_loop_ordered_guided_next, at_least, true},
    {"ordered_runtime", of_ordered_runtime_start, GOMP_loop_ordered_runtime_next, any, true},
    {"start(static)", any_static, GOMP_loop_static_next, in_turns, false},
    {"start(dynamic)", any_dynamic, GOMP_loop_nonmonotonic_dynamic_next, chunks, false},
    {"start(guided)", any_guided, GOMP_loop_nonmonotonic_guided_next, at_least, false},
    {"start(runtime)", any_runtime, GOMP_loop_maybe_nonmonotonic_runtime_next, any, false},
    {"start(monotonic:runtime)", any_monotonic_runtime, GOMP_loop_runtime_next, any, false},
    {"start(nonmonotonic:runtime)", any_nonmonotonic_runtime, GOMP_loop_nonmonotonic_runtime_next, any, false},
    {"ordered_start(static)", any_ordered_static, GOMP_loop_ordered_static_next, in_turns, true},
    {"ordered_start(dynamic)", any_ordered_dynamic, GOMP_loop_ordered_dynamic_next, chunks, true},
    {"ordered_start(guided)", any_ordered_guided, GOMP_loop_ordered_guided_next, at_least, true},
    {"ordered_start(runtime)", any_ordered_runtime, GOMP_loop_ordered_runtime_next, any, true},
};

struct range {
  long start, end, step, chunk;
};
static const struct range ranges[] = {
    {0, 100, 1, 1}, {0, 100, 1, 7},  {0, 1, 1, 1},    {5, 5, 1, 1},     {7, 3, 1, 2},
    {0, 3, 1, 50},  {-50, 49, 3, 2}, {100, 0, -1, 4}, {10, -89, -7, 1}, {0x7fffffff00, 0x7fffffff64, 1, 9},
};

static int hits[most_iterations], order[most_iterations], position;

static long iterations_of(const struct range* r) {
  const long count = r->step > 0 ? (r->end - r->start + r->step - 1) / r->step : (r->start - r->end - r->step - 1) / -r->step;
  return count > 0 ? count : 0;
}

static void check_chunk(const struct loop* of, const struct range* r, long from, long to) {
  const long first = (from - r->start) / r->step, size = (to - from + r->step - (r->step > 0 ? 1 : -1)) / r->step;
  const bool is_last = first + size == iterations_of(r);
  check(size > 0, "%s: an empty chunk", of->name);
  if (of->kind == chunks || (of->kind == in_turns && omp_get_num_threads() > 1))
    check(size == r->chunk || is_last, "%s: a chunk of %ld iterations, not %ld", of->name, size, r->chunk);
  if (of->kind == at_least) check(size >= r->chunk || is_last, "%s: a chunk of %ld, below %ld", of->name, size, r->chunk);
  if (of->kind == in_turns)
    check(first / r->chunk % omp_get_num_threads() == omp_get_thread_num(), "%s: iteration %ld is not that of member %d",
          of->name, first, omp_get_thread_num());
}

static void run_chunk(const struct loop* of, const struct range* r, long from, long to) {
  check_chunk(of, r, from, to);
  for (long i = from; r->step > 0 ? i < to : i > to; i += r->step) {
    const long index = (i - r->start) / r->step;
    add(&hits[index], 1);
    if (!of->ordered) continue;
    GOMP_ordered_start();
    order[position++] = (int)index;
    GOMP_ordered_end();
  }
}

static void run(const struct loop* of, const struct range* r, int n) {
  memset(hits, 0, sizeof hits);
  position = 0;
#pragma omp parallel num_threads(n)
  {
    long from, to;
    if (of->start(r->start, r->end, r->step, r->chunk, &from, &to)) {
      do run_chunk(of, r, from, to);
      while (of->next(&from, &to));
    }
    GOMP_loop_end();
    for (long i = 0; i < iterations_of(r); ++i)
      check(load(&hits[i]) == 1, "%s: past the loop iteration %ld of %ld ran %d times", of->name, i, iterations_of(r), hits[i]);
  }
  for (int i = 0; of->ordered && i < position; ++i)
    check(order[i] == i, "%s: iteration %d came as number %d", of->name, order[i], i);
}

/// GOMP_loop_start without a loop: gcc asks for memory of the team that is zero at first; the pointer says how much.
static void team_memory(int n) {
  enum { bytes = 1000 };
  static void* seen[64];
#pragma omp parallel num_threads(n)
  {
    void* memory = (void*)(uintptr_t)bytes;
    GOMP_loop_start(0, 1, 1, 0x80000001, 0, NULL, NULL, NULL, &memory);
    seen[omp_get_thread_num()] = memory;
    for (int i = 0; i < bytes / 2; ++i) check(((char*)memory)[i] == 0, "the memory of the team is not zero at first");
#pragma omp barrier
    ((char*)memory)[bytes - 1 - omp_get_thread_num()] = 1;
#pragma omp barrier
    check(((char*)memory)[bytes - n] == 1, "the members do not share the memory of the team");
    GOMP_loop_end_nowait();
  }
  for (int i = 1; i < n; ++i) check(seen[i] == seen[0], "members %d and 0 got different memory", i);
}

int main(void) {
  const int n = omp_get_max_threads(), kinds = (int)(sizeof loops / sizeof *loops);
  const omp_sched_t schedules[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
                                   omp_sched_dynamic | omp_sched_monotonic};
  for (int i = 0; i < kinds; ++i) {
    for (int j = 0; j < (int)(sizeof ranges / sizeof *ranges); ++j) {
      omp_set_schedule(schedules[(i + j) % 5], 2);
      run(&loops[i], &ranges[j], n);
    }
    omp_set_schedule(omp_sched_dynamic, 1);  // chunks after the first must come from "next"
    run(&loops[i], &ranges[0], 2);
  }
  team_memory(n);
  return 0;
}
