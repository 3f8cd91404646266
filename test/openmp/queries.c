// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What omp_get_... and omp_in_... answer, and that omp_set_... changes it.
#define _GNU_SOURCE
#include "check.h"
#include "with_environment.h"

#include <omp.h>

static void at_first(int argument_count) {
  const char* asked = getenv("OMP_NUM_THREADS");
  check(omp_get_num_threads() == 1 && omp_get_thread_num() == 0, "outside of any region there is not one thread");
  check(!omp_in_parallel() && omp_get_level() == 0 && omp_get_active_level() == 0, "outside of any region a level is not 0");
  check(omp_get_num_procs() > 0, "there are %d processors", omp_get_num_procs());
  if (asked != NULL && argument_count == 1)
    check(omp_get_max_threads() == atoi(asked), "OMP_NUM_THREADS=%s gives %d", asked, omp_get_max_threads());
  check(omp_get_thread_limit() >= 64, "the limit is %d threads", omp_get_thread_limit());
  check(omp_get_supported_active_levels() >= 20, "%d levels are supported", omp_get_supported_active_levels());
  check(omp_get_max_active_levels() == 1, "max-active-levels is %d at first, not 1", omp_get_max_active_levels());
  check(omp_get_cancellation() == 0, "there is cancellation that nobody asked for");
  check(omp_get_max_task_priority() == 7, "OMP_MAX_TASK_PRIORITY=7 gives %d", omp_get_max_task_priority());
}

static void after_a_change(void) {
  for (int yes = 1; yes >= 0; --yes) {
    omp_set_dynamic(yes);
    check(omp_get_dynamic() == yes, "omp_set_dynamic(%d) has no effect", yes);
    omp_set_nested(yes);
    check(omp_get_nested() == yes, "omp_set_nested(%d) has no effect", yes);
  }
  for (int levels = 1; levels < 6; levels += 2) {
    omp_set_max_active_levels(levels);
    check(omp_get_max_active_levels() == levels, "omp_set_max_active_levels(%d) has no effect", levels);
  }
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int i = 0; i < 4; ++i) {
    omp_sched_t kind = 0;
    int chunk = -5;
    omp_set_schedule(kinds[i], 3 + i);
    omp_get_schedule(&kind, &chunk);
    check((kind & ~omp_sched_monotonic) == kinds[i], "omp_set_schedule(%d) gives %d", (int)kinds[i], (int)kind);
    check(kinds[i] == omp_sched_auto || chunk == 3 + i, "omp_set_schedule's chunk %d gives %d", 3 + i, chunk);
  }
}

static void number_of_threads(int n) {
  int sizes = 0, in_parallel = 0, in_inactive = 0, members = 0;
  omp_set_num_threads(5);
  check(omp_get_max_threads() == 5, "omp_set_num_threads(5) gives %d", omp_get_max_threads());
#pragma omp parallel reduction(+ : sizes, in_parallel) reduction(| : members)
  {
    sizes += omp_get_num_threads();
    in_parallel += omp_in_parallel() != 0;
    members |= 1 << omp_get_thread_num();
    omp_set_num_threads(2 + omp_get_thread_num());  // of this member only
    check(omp_get_max_threads() == 2 + omp_get_thread_num(), "omp_set_num_threads in a region has no effect");
  }
  check(members == 31, "the members of a region of 5 have numbers as in %#x", (unsigned)members);
  check(sizes == 25 && in_parallel == 5, "after omp_set_num_threads(5) a region is not one of 5");
  check(omp_get_max_threads() == 5, "omp_set_num_threads inside of a region has an effect outside");
#pragma omp parallel if (0)
  in_inactive = omp_in_parallel();
  check(in_inactive == 0, "omp_in_parallel is true in a region of one member");
  omp_set_num_threads(n);
}

static void time_passes(void) {
  const double start = omp_get_wtime();
  check(start > 0 && omp_get_wtick() > 0 && omp_get_wtick() < 1, "omp_get_wtime or omp_get_wtick is not above 0");
  while (omp_get_wtime() <= start) {
  }
}

/// What a task sets is its own, and its children get it.
static void of_the_task(void) {
  omp_set_num_threads(3);
#pragma omp parallel num_threads(2)
  {
#pragma omp task
    {
      omp_set_num_threads(7);
#pragma omp task
      check(omp_get_max_threads() == 7, "a task does not inherit what its parent set: %d", omp_get_max_threads());
#pragma omp taskwait
    }
#pragma omp taskwait
    check(omp_get_max_threads() == 3, "what a child set is seen by its parent: %d", omp_get_max_threads());
  }
}

/// The program may have fewer processors than at its begin, or a thread of it.
static void on_fewer_processors(void) {
  cpu_set_t before, first, now;
  check(sched_getaffinity(0, sizeof before, &before) == 0, "no mask");
  int processor = 0;
  while (!CPU_ISSET(processor, &before)) ++processor;
  CPU_ZERO(&first);
  CPU_SET(processor, &first);
  check(sched_setaffinity(0, sizeof first, &first) == 0, "a mask is refused");
  check(omp_get_num_procs() == 1, "on one processor there are %d", omp_get_num_procs());
  check(sched_setaffinity(0, sizeof before, &before) == 0, "a mask is not taken back");
  check(sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &before), "another mask came back");
  check(omp_get_num_procs() <= CPU_COUNT(&now), "of %d processors there are %d", CPU_COUNT(&now), omp_get_num_procs());
}

int main(int argument_count, char** arguments) {
  with_environment(arguments, (const char* const[]){"OMP_MAX_TASK_PRIORITY", "7", NULL});
  const int n = omp_get_max_threads();
  at_first(argument_count);
  number_of_threads(n);
  after_a_change();
  time_passes();
  of_the_task();
  on_fewer_processors();
  return 0;
}
