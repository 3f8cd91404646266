// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the environment's variables came to, one "name value" a line; test_environment.py sets them and compares.
// REGIONS_INSIDE: as many regions with regions inside run before that.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void do_nothing(void) {}

int main(void) {
  omp_sched_t kind;
  int chunk, threads = 0, inner = 0;
  omp_get_schedule(&kind, &chunk);
  printf("max_threads %d\n", omp_get_max_threads());
  printf("dynamic %d\n", omp_get_dynamic() != 0);
  printf("schedule %d\n", (int)(kind & 7));
  printf("monotonic %d\n", (kind & omp_sched_monotonic) != 0);
  printf("chunk %d\n", chunk);
  printf("proc_bind %d\n", (int)omp_get_proc_bind());
  printf("places %d\n", omp_get_num_places());
  printf("max_active_levels %d\n", omp_get_max_active_levels());
  printf("thread_limit %d\n", omp_get_thread_limit());
  printf("max_task_priority %d\n", omp_get_max_task_priority());
  printf("max_teams %d\n", omp_get_max_teams());
  printf("teams_thread_limit %d\n", omp_get_teams_thread_limit());
#pragma omp parallel
#pragma omp master
  {
    threads = omp_get_num_threads();
#pragma omp parallel
#pragma omp master
    inner = omp_get_num_threads();
  }
  const char* const rounds = getenv("REGIONS_INSIDE");
  for (int left = rounds != NULL ? atoi(rounds) : 0; left > 0; --left) {
#pragma omp parallel
#pragma omp parallel
    do_nothing();
  }
  printf("threads %d\n", threads);
  printf("inner_threads %d\n", inner);
  return 0;
}
