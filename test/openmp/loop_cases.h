// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that starts or continues a loop: every iteration once, in chunks as the schedule promises. Included by the
// programs for both widths, which say what a `number` is, how it is printed (TEFF_NUMBER), what the function of a TEFF_LOOP(name)
// is called, whether it is told first if the loop goes up (TEFF_UP_PARAMETER, TEFF_UP_ARGUMENT, TEFF_UP_OF), and which `ranges`
// are tried.
#pragma once

#include "check.h"
#include "entry_points.h"
#include "memory.h"

#include <omp.h>
#include <string.h>

enum { most_iterations = 200 };
enum kind { in_turns, chunks, at_least, any, by_variable };

#define TEFF_RUNTIME(name)                                                                                                 \
  static bool of_##name(TEFF_UP_PARAMETER number start, number end, number step, number chunk, number* from, number* to) { \
    (void)chunk;                                                                                                           \
    return TEFF_LOOP(name)(TEFF_UP_ARGUMENT start, end, step, from, to);                                                   \
  }
TEFF_RUNTIME(runtime_start)
TEFF_RUNTIME(nonmonotonic_runtime_start)
TEFF_RUNTIME(maybe_nonmonotonic_runtime_start)
TEFF_RUNTIME(ordered_runtime_start)

/// The numbers of schedules as gcc passes them: 1 static, 2 dynamic, 3 guided, 0 and 4 runtime; the top bit means monotonic.
#define TEFF_ANY(name, function, schedule)                                                                            \
  static bool name(TEFF_UP_PARAMETER number start, number end, number step, number chunk, number* from, number* to) { \
    return function(TEFF_UP_ARGUMENT start, end, step, schedule, chunk, from, to, NULL, NULL);                        \
  }
TEFF_ANY(any_static, TEFF_LOOP(start), 0x80000001)
TEFF_ANY(any_dynamic, TEFF_LOOP(start), 2)
TEFF_ANY(any_guided, TEFF_LOOP(start), 3)
TEFF_ANY(any_runtime, TEFF_LOOP(start), 0)
TEFF_ANY(any_monotonic_runtime, TEFF_LOOP(start), 0x80000000)
TEFF_ANY(any_nonmonotonic_runtime, TEFF_LOOP(start), 4)
TEFF_ANY(any_ordered_static, TEFF_LOOP(ordered_start), 0x80000001)
TEFF_ANY(any_ordered_dynamic, TEFF_LOOP(ordered_start), 0x80000002)
TEFF_ANY(any_ordered_guided, TEFF_LOOP(ordered_start), 0x80000003)
TEFF_ANY(any_ordered_runtime, TEFF_LOOP(ordered_start), 0x80000000)

struct loop {
  const char* name;
  bool (*start)(TEFF_UP_PARAMETER number start, number end, number step, number chunk, number* from, number* to);
  bool (*next)(number* from, number* to);
  enum kind kind;
  bool ordered;
  bool any_order;  ///< a member may get its chunks in any order, unless run-sched-var says otherwise
};

static const struct loop loops[] = {
    {"static", TEFF_LOOP(static_start), TEFF_LOOP(static_next), in_turns, false, false},
    {"dynamic", TEFF_LOOP(dynamic_start), TEFF_LOOP(dynamic_next), chunks, false, false},
    {"guided", TEFF_LOOP(guided_start), TEFF_LOOP(guided_next), at_least, false, false},
    {"runtime", of_runtime_start, TEFF_LOOP(runtime_next), by_variable, false, false},
    {"nonmonotonic_dynamic", TEFF_LOOP(nonmonotonic_dynamic_start), TEFF_LOOP(nonmonotonic_dynamic_next), chunks, false, true},
    {"nonmonotonic_guided", TEFF_LOOP(nonmonotonic_guided_start), TEFF_LOOP(nonmonotonic_guided_next), at_least, false, true},
    {"nonmonotonic_runtime", of_nonmonotonic_runtime_start, TEFF_LOOP(nonmonotonic_runtime_next), by_variable, false, true},
    {"maybe_nonmonotonic_runtime", of_maybe_nonmonotonic_runtime_start, TEFF_LOOP(maybe_nonmonotonic_runtime_next), by_variable,
     false, true},
    {"ordered_static", TEFF_LOOP(ordered_static_start), TEFF_LOOP(ordered_static_next), in_turns, true, false},
    {"ordered_dynamic", TEFF_LOOP(ordered_dynamic_start), TEFF_LOOP(ordered_dynamic_next), chunks, true, false},
    {"ordered_guided", TEFF_LOOP(ordered_guided_start), TEFF_LOOP(ordered_guided_next), at_least, true, false},
    {"ordered_runtime", of_ordered_runtime_start, TEFF_LOOP(ordered_runtime_next), by_variable, true, false},
    {"start(static)", any_static, TEFF_LOOP(static_next), in_turns, false, false},
    {"start(dynamic)", any_dynamic, TEFF_LOOP(nonmonotonic_dynamic_next), chunks, false, true},
    {"start(guided)", any_guided, TEFF_LOOP(nonmonotonic_guided_next), at_least, false, true},
    {"start(runtime)", any_runtime, TEFF_LOOP(maybe_nonmonotonic_runtime_next), by_variable, false, true},
    {"start(monotonic:runtime)", any_monotonic_runtime, TEFF_LOOP(runtime_next), by_variable, false, false},
    {"start(nonmonotonic:runtime)", any_nonmonotonic_runtime, TEFF_LOOP(nonmonotonic_runtime_next), by_variable, false, true},
    {"ordered_start(static)", any_ordered_static, TEFF_LOOP(ordered_static_next), in_turns, true, false},
    {"ordered_start(dynamic)", any_ordered_dynamic, TEFF_LOOP(ordered_dynamic_next), chunks, true, false},
    {"ordered_start(guided)", any_ordered_guided, TEFF_LOOP(ordered_guided_next), at_least, true, false},
    {"ordered_start(runtime)", any_ordered_runtime, TEFF_LOOP(ordered_runtime_next), by_variable, true, false},
};

/// Downwards the step is below 0, or what is added modulo 2^64.
struct range {
  bool up;
  number start, end, step, chunk;
};

static int hits[most_iterations], order[most_iterations], position;
static int last_of[64];  ///< of each member: the number of its last iteration, and 1

static number index_of(const struct range* r, number i) { return r->up ? (i - r->start) / r->step : (r->start - i) / -r->step; }

static number count_of(const struct range* r, number from, number to) {
  if (r->up ? from >= to : from <= to) return 0;
  return r->up ? (to - from - 1) / r->step + 1 : (from - to - 1) / -r->step + 1;
}
static number iterations_of(const struct range* r) { return count_of(r, r->start, r->end); }

/// What a loop must keep to; one by_variable is as omp_set_schedule says.
struct promise {
  enum kind kind;
  number chunk;
};

static struct promise promise_of(const struct loop* of, const struct range* r) {
  const struct promise own = {of->kind, r->chunk};
  if (of->kind != by_variable) return own;
  omp_sched_t schedule;
  int chunk;
  omp_get_schedule(&schedule, &chunk);
  static const enum kind kinds[] = {any, in_turns, chunks, at_least, any};
  const struct promise variable = {kinds[schedule & 7], (number)chunk};
  return variable;
}

static void check_chunk(const struct loop* of, const struct range* r, number from, number to) {
  // The end of the last chunk may lie behind the largest number.
  const number first = index_of(r, from), size = r->up ? (to - from - 1) / r->step + 1 : (from - to - 1) / -r->step + 1;
  const bool is_last = first + size == iterations_of(r);
  const struct promise is = promise_of(of, r);
  check(from != to, "%s: an empty chunk", of->name);
  if (is.kind == chunks || (is.kind == in_turns && omp_get_num_threads() > 1))
    check(size == is.chunk || is_last, "%s: a chunk of %" TEFF_NUMBER " iterations, not %" TEFF_NUMBER, of->name, size, is.chunk);
  if (is.kind == chunks)
    check(!is_last || to == r->end, "%s: the last chunk ends at %" TEFF_NUMBER ", not where the loop does", of->name, to);
  if (is.kind == at_least)
    check(size >= is.chunk || is_last, "%s: a chunk of %" TEFF_NUMBER ", below %" TEFF_NUMBER, of->name, size, is.chunk);
  if (is.kind == in_turns)
    check((int)(first / is.chunk % (number)omp_get_num_threads()) == omp_get_thread_num(),
          "%s: iteration %" TEFF_NUMBER " is not that of member %d", of->name, first, omp_get_thread_num());
}

/// Whether a member's iterations must go up.
static bool is_monotonic(const struct loop* of) {
  omp_sched_t schedule;
  int chunk;
  omp_get_schedule(&schedule, &chunk);
  return !of->any_order || (of->kind == by_variable && (schedule & omp_sched_monotonic) != 0);
}

static void run_chunk(const struct loop* of, const struct range* r, number from, number to) {
  check_chunk(of, r, from, to);
  int* const last = &last_of[omp_get_thread_num()];
  const int first = (int)index_of(r, from);
  check(!is_monotonic(of) || first >= *last, "%s: a member gets iteration %d behind iteration %d", of->name, first, *last - 1);
  *last = first + (int)count_of(r, from, to);
  for (number i = from; r->up ? i < to : i > to; i += r->step) {
    const number index = index_of(r, i);
    check((unsigned long long)index < most_iterations, "%s: iteration %" TEFF_NUMBER " is out of range", of->name, index);
    add(&hits[index], 1);
    if (!of->ordered) continue;
    GOMP_ordered_start();
    order[position++] = (int)index;
    GOMP_ordered_end();
  }
}

static void run(const struct loop* of, const struct range* r, int n) {
  memset(hits, 0, sizeof hits);
  memset(last_of, 0, sizeof last_of);
  position = 0;
#pragma omp parallel num_threads(n)
  {
    number from, to;
    if (of->start(TEFF_UP_OF(r) r->start, r->end, r->step, r->chunk, &from, &to)) {
      do run_chunk(of, r, from, to);
      while (of->next(&from, &to));
    }
    GOMP_loop_end();
    for (number i = 0; i < iterations_of(r); ++i)
      check(load(&hits[i]) == 1, "%s: past the loop iteration %" TEFF_NUMBER " of %" TEFF_NUMBER " ran %d times", of->name, i,
            iterations_of(r), hits[i]);
  }
  for (int i = 0; of->ordered && i < position; ++i)
    check(order[i] == i, "%s: iteration %d came as number %d", of->name, order[i], i);
}

/// gcc asks for memory of the team that is zero at first; `start` begins a loop with a pointer that says how much.
static void team_memory(int n, void (*start)(void** memory)) {
  enum { bytes = 1000 };
  static void* seen[64];
#pragma omp parallel num_threads(n)
  {
    void* memory = (void*)(uintptr_t)bytes;
    start(&memory);
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

/// Of loop after loop it is given back.
static void team_memory_is_bounded(int n, void (*start)(void** memory)) {
  long before = 0, growth = 0;
#pragma omp parallel num_threads(n)
  {
    for (int round = 0; round < 10000; ++round) {
      void* memory = (void*)(uintptr_t)1000;
      if (round % 100 == 0) {
#pragma omp barrier
        if (round == 1000 && omp_get_thread_num() == 0) before = memory_bytes(1);
      }
      start(&memory);
      char* const mine = (char*)memory + omp_get_thread_num();
      check(memory != NULL && *mine == 0, "the memory of a loop behind others is not there, or not zero at first");
      *mine = 1;
      GOMP_loop_end_nowait();
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) growth = (memory_bytes(1) - before) / 1024;
  }
  check(growth < 4096, "the memory of loops grew by %ld KiB", growth);
}

static void run_all(const struct range* ranges, int count, int n) {
  const omp_sched_t schedules[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
                                   omp_sched_dynamic | omp_sched_monotonic};
  for (int i = 0; i < (int)(sizeof loops / sizeof *loops); ++i) {
    for (int j = 0; j < count; ++j) {
      omp_set_schedule(schedules[(i + j) % 5], 2);
      run(&loops[i], &ranges[j], n);
    }
    omp_set_schedule(omp_sched_dynamic, 1);  // chunks after the first must come from "next"
    run(&loops[i], &ranges[0], 2);
  }
}
