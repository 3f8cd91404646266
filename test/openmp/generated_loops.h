// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program of generate_loops.py checks itself with: each iteration of a loop once, with its value, as a serial loop in
// numbers wide enough for any of its bounds would have them.
#pragma once

#include "check.h"

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef __int128 wide;

struct range {
  wide first, end, step;
};

enum { only_by_one = 1, reaches_end = 2, by_variable = 4, in_order = 8 };

struct loop {
  void (*run)(const struct range* over, int threads);
  const char* text;
  const struct range* ranges;
  size_t range_count;
  int flags;
};

enum { most_iterations = 64 };

static const struct loop* current_loop;
static const struct range* current_range;
static int hits[most_iterations], turn;
static bool small_steps_only;

__attribute__((noinline)) static wide end(const struct range* r) { return r->end; }
__attribute__((noinline)) static wide last_included(const struct range* r) { return r->step > 0 ? r->end - 1 : r->end + 1; }
static bool is_inside(const struct range* r, wide value) { return r->step > 0 ? value < r->end : value > r->end; }

static int serial_count(const struct range* r) {
  int count = 0;
  for (wide value = r->first; is_inside(r, value); value += r->step) ++count;
  return count;
}

static void fail(const char* what, wide value) {
  omp_sched_t schedule;
  int chunk;
  omp_get_schedule(&schedule, &chunk);
  check(false, "%s, %d threads, schedule %x, %d by the variable: from %lld in steps of %lld to before %lld: %s %lld",
        current_loop->text, omp_get_max_threads(), (unsigned)schedule, chunk, (long long)current_range->first,
        (long long)current_range->step, (long long)current_range->end, what, (long long)value);
}

/// Pre: the value is one of the loop.
static int index_of(wide value) {
  const wide distance = value - current_range->first;
  if (!is_inside(current_range, value) || distance % current_range->step != 0 || distance / current_range->step < 0)
    fail("there is an iteration of", value);
  return (int)(distance / current_range->step);
}

__attribute__((noinline)) static void ran_wide(wide value) { add(&hits[index_of(value)], 1); }
__attribute__((noinline)) static void in_turn_wide(wide value) {
  if (index_of(value) != turn) fail("not in order came", value);
  ++turn;
}
#define ran(value) ran_wide((wide)(value))
#define in_turn(value) in_turn_wide((wide)(value))

static void run_over(const struct loop* of, const struct range* r, int threads) {
  const int count = serial_count(r);
  const wide large = (wide)1 << 59;
  if (small_steps_only && (r->step > large || r->step < -large)) return;
  if ((of->flags & only_by_one) && r->step != 1 && r->step != -1) return;
  if ((of->flags & reaches_end) && count != (r->end - r->first) * r->step) return;  // it would go past its end
  current_loop = of;
  current_range = r;
  memset(hits, 0, sizeof hits);
  turn = 0;
  of->run(r, threads);
  for (int i = 0; i < count; ++i) {
    if (hits[i] != 1) fail(hits[i] == 0 ? "there was no iteration of" : "several times came", r->first + i * r->step);
  }
  if ((of->flags & in_order) && turn != count) fail("too many or too few in order, behind", turn);
}

static const struct {
  omp_sched_t kind;
  int chunk;
} schedules[] = {{omp_sched_static, 0},
                 {omp_sched_static, 3},
                 {omp_sched_dynamic, 1},
                 {omp_sched_dynamic, 4},
                 {omp_sched_guided, 1},
                 {omp_sched_guided, 3},
                 {omp_sched_auto, 0},
                 {(omp_sched_t)(omp_sched_dynamic | omp_sched_monotonic), 2},
                 {(omp_sched_t)(omp_sched_static | omp_sched_monotonic), 2}};
enum { schedule_count = sizeof schedules / sizeof *schedules, most_threads = 3 };

/// Effect: with the word "variable" the loops that go by OMP_SCHEDULE, as it is; else all, and those by all that it can say in
/// turns. With "small_steps" without what gcc's library computes wrongly.
static int run_loops(const struct loop* loops, size_t count, const char* word) {
  const int threads = omp_get_max_threads();
  if (threads > most_threads) return 0;  // more have nothing more to show
  const bool as_it_is = word != NULL && strcmp(word, "variable") == 0;
  small_steps_only = word != NULL && strcmp(word, "small_steps") == 0;
  for (size_t i = 0; i < count; ++i) {
    const bool goes_by_it = (loops[i].flags & by_variable) != 0;
    if (as_it_is && !goes_by_it) continue;
    for (size_t j = 0; j < loops[i].range_count; ++j) {
      const size_t turn = (i + j) % schedule_count;
      if (!as_it_is) omp_set_schedule(schedules[turn].kind, schedules[turn].chunk);
      run_over(&loops[i], &loops[i].ranges[j], threads);
    }
  }
  return 0;
}
