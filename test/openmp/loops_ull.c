// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that starts or continues a loop over unsigned long long: every iteration once, in chunks as the schedule
// promises.
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <string.h>

enum { most_iterations = 200 };
enum kind { in_turns, chunks, at_least, any };

static bool no_chunk(ull_runtime_start* start, bool up, const ull* of, ull* from, ull* to) {
  return start(up, of[0], of[1], of[2], from, to);
}
#define TEFF_RUNTIME(name)                                                                      \
  static bool of_##name(bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to) { \
    (void)chunk;                                                                                \
    return no_chunk(GOMP_loop_ull_##name, up, (const ull[]){start, end, step}, from, to);       \
  }
TEFF_RUNTIME(runtime_start)
TEFF_RUNTIME(nonmonotonic_runtime_start)
TEFF_RUNTIME(maybe_nonmonotonic_runtime_start)
TEFF_RUNTIME(ordered_runtime_start)

/// The numbers of schedules as gcc passes them: 1 static, 2 dynamic, 3 guided, 0 and 4 runtime; the top bit means monotonic.
#define TEFF_ANY(name, function, schedule)                                                 \
  static bool name(bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to) { \
    return function(up, start, end, step, schedule, chunk, from, to, NULL, NULL);          \
  }
TEFF_ANY(any_static, GOMP_loop_ull_start, 0x80000001)
TEFF_ANY(any_dynamic, GOMP_loop_ull_start, 2)
TEFF_ANY(any_guided, GOMP_loop_ull_start, 3)
TEFF_ANY(any_runtime, GOMP_loop_ull_start, 0)
TEFF_ANY(any_monotonic_runtime, GOMP_loop_ull_start, 0x80000000)
TEFF_ANY(any_nonmonotonic_runtime, GOMP_loop_ull_start, 4)
TEFF_ANY(any_ordered_static, GOMP_loop_ull_ordered_start, 0x80000001)
TEFF_ANY(any_ordered_dynamic, GOMP_loop_ull_ordered_start, 0x80000002)
TEFF_ANY(any_ordered_guided, GOMP_loop_ull_ordered_start, 0x80000003)
TEFF_ANY(any_ordered_runtime, GOMP_loop_ull_ordered_start, 0x80000000)

struct loop {
  const char* name;
  ull_start* start;
  ull_next* next;
  enum kind kind;
  bool ordered;
};

static const struct loop loops[] = {
    {"static", GOMP_loop_ull_static_start, GOMP_loop_ull_static_next, in_turns, false},
    {"dynamic", GOMP_loop_ull_dynamic_start, GOMP_loop_ull_dynamic_next, chunks, false},
    {"guided", GOMP_loop_ull_guided_start, GOMP_loop_ull_guided_next, at_least, false},
    {"runtime", of_runtime_start, GOMP_loop_ull_runtime_next, any, false},
    {"nonmonotonic_dynamic", GOMP_loop_ull_nonmonotonic_dynamic_start, GOMP_loop_ull_nonmonotonic_dynamic_next, chunks, false},
    {"nonmonotonic_guided", GOMP_loop_ull_nonmonotonic_guided_start, GOMP_loop_ull_nonmonotonic_guided_next, at_least, false},
    {"nonmonotonic_runtime", of_nonmonotonic_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_next, any, false},
    {"maybe_nonmonotonic_runtime", of_maybe_nonmonotonic_runtime_start, GOMP_loop_ull_maybe_nonmonotonic_runtime_next, any,
     false},
    {"ordered_static", GOMP_loop_ull_ordered_static_start, GOMP_loop_ull_ordered_static_next, in_turns, true},
    {"ordered_dynamic", GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_dynamic_next, chunks, true},
    {"ordered_guided", GOMP_loop_ull_ordered_guided_start, GOMP_loop_ull_ordered_guided_next, at_least, true},
    {"ordered_runtime", of_ordered_runtime_start, GOMP_loop_ull_ordered_runtime_next, any, true},
    {"start(static)", any_static, GOMP_loop_ull_static_next, in_turns, false},
    {"start(dynamic)", any_dynamic, GOMP_loop_ull_nonmonotonic_dynamic_next, chunks, false},
    {"start(guided)", any_guided, GOMP_loop_ull_nonmonotonic_guided_next, at_least, false},
    {"start(runtime)", any_runtime, GOMP_loop_ull_maybe_nonmonotonic_runtime_next, any, false},
    {"start(monotonic:runtime)", any_monotonic_runtime, GOMP_loop_ull_runtime_next, any, false},
    {"start(nonmonotonic:runtime)", any_nonmonotonic_runtime, GOMP_loop_ull_nonmonotonic_runtime_next, any, false},
    {"ordered_start(static)", any_ordered_static, GOMP_loop_ull_ordered_static_next, in_turns, true},
    {"ordered_start(dynamic)", any_ordered_dynamic, GOMP_loop_ull_ordered_dynamic_next, chunks, true},
    {"ordered_start(guided)", any_ordered_guided, GOMP_loop_ull_ordered_guided_next, at_least, true},
    {"ordered_start(runtime)", any_ordered_runtime, GOMP_loop_ull_ordered_runtime_next, any, true},
};

/// Both ways; downwards the step is what is added modulo 2^64.
struct range {
  bool up;
  ull start, end, step, chunk;
};
static const struct range ranges[] = {
    {true, 0, 100, 1, 1},         {true, 0, 100, 1, 7},
    {true, 0, 1, 1, 1},           {true, 5, 5, 1, 1},
    {true, 0, 3, 1, 50},          {true, 50, 149, 3, 2},
    {false, 100, 0, -1ull, 4},    {false, 110, 11, -7ull, 1},
    {true, -101ull, -1ull, 1, 9}, {true, 1ull << 63, (1ull << 63) + 99, 2, 5},
};

static int hits[most_iterations], order[most_iterations], position;

static ull index_of(const struct range* r, ull i) { return r->up ? (i - r->start) / r->step : (r->start - i) / -r->step; }

static ull iterations_of(const struct range* r) {
  if (r->up ? r->start >= r->end : r->start <= r->end) return 0;
  return r->up ? (r->end - r->start - 1) / r->step + 1 : (r->start - r->end - 1) / -r->step + 1;
}

static void check_chunk(const struct loop* of, const struct range* r, ull from, ull to) {
  const ull first = index_of(r, from), size = r->up ? (to - from - 1) / r->step + 1 : (from - to - 1) / -r->step + 1;
  const bool is_last = first + size == iterations_of(r);
  check(from != to, "%s: an empty chunk", of->name);
  if (of->kind == chunks || (of->kind == in_turns && omp_get_num_threads() > 1))
    check(size == r->chunk || is_last, "%s: a chunk of %llu iterations, not %llu", of->name, size, r->chunk);
  if (of->kind == at_least) check(size >= r->chunk || is_last, "%s: a chunk of %llu, below %llu", of->name, size, r->chunk);
  if (of->kind == in_turns)
    check((int)(first / r->chunk % (ull)omp_get_num_threads()) == omp_get_thread_num(),
          "%s: iteration %llu is not that of member %d", of->name, first, omp_get_thread_num());
}

static void run_chunk(const struct loop* of, const struct range* r, ull from, ull to) {
  check_chunk(of, r, from, to);
  for (ull i = from; r->up ? i < to : i > to; i += r->step) {
    const ull index = index_of(r, i);
    check(index < most_iterations, "%s: iteration %llu is out of range", of->name, index);
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
    ull from, to;
    if (of->start(r->up, r->start, r->end, r->step, r->chunk, &from, &to)) {
      do run_chunk(of, r, from, to);
      while (of->next(&from, &to));
    }
    GOMP_loop_end();
    for (ull i = 0; i < iterations_of(r); ++i)
      check(load(&hits[i]) == 1, "%s: past the loop iteration %llu of %llu ran %d times", of->name, i, iterations_of(r), hits[i]);
  }
  for (int i = 0; of->ordered && i < position; ++i)
    check(order[i] == i, "%s: iteration %d came as number %d", of->name, order[i], i);
}

/// The last argument asks for memory of the team that is zero at first; the pointer says how much.
static void team_memory(int n) {
  enum { bytes = 1000 };
  static void* seen[64];
#pragma omp parallel num_threads(n)
  {
    void* memory = (void*)(uintptr_t)bytes;
    ull from, to;
    GOMP_loop_ull_start(true, 0, 1, 1, 0x80000001, 0, &from, &to, NULL, &memory);
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
