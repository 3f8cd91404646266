// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resources are given up on request, and come back with the next region.
#include "check.h"

#include <dirent.h>
#include <omp.h>

/// Returns: how many threads the process has.
static int threads_of_process(void) {
  int found = 0;
  DIR* const folder = opendir("/proc/self/task");
  check(folder != NULL, "the system does not list threads");
  for (const struct dirent* each = readdir(folder); each != NULL; each = readdir(folder)) found += each->d_name[0] != '.';
  closedir(folder);
  return found;
}

static void region(void) {
  int ran[3] = {0};
#pragma omp parallel num_threads(3)
  {
    add(&ran[omp_get_thread_num()], 1);
#pragma omp task
    add(&ran[0], 0);
  }
  expect_each_once("members", ran, 3);
}

static void pause(int (*how)(void), const char* name) {
  region();
  check(threads_of_process() == 3, "the process has %d threads, not 3", threads_of_process());
  check(how() == 0, "%s fails", name);
  for (int look = 0; look < 10000 && threads_of_process() > 1; ++look) sched_yield();
  check(threads_of_process() == 1, "%s leaves %d threads", name, threads_of_process());
  region();
}

static int soft(void) { return omp_pause_resource(omp_pause_soft, omp_get_initial_device()); }
static int hard(void) { return omp_pause_resource(omp_pause_hard, omp_get_initial_device()); }
static int all_soft(void) { return omp_pause_resource_all(omp_pause_soft); }
static int all_hard(void) { return omp_pause_resource_all(omp_pause_hard); }

int main(void) {
  check(soft() == 0 && all_hard() == 0, "a pause before all regions fails");
  pause(soft, "omp_pause_resource, soft,");
  pause(hard, "omp_pause_resource, hard,");
  pause(all_soft, "omp_pause_resource_all, soft,");
  pause(all_hard, "omp_pause_resource_all, hard,");
  check(omp_pause_resource(omp_pause_soft, 5) != 0, "a device that is not there makes a pause");
#pragma omp parallel num_threads(2)
  check(soft() != 0 && all_hard() != 0, "there is a pause inside of a region");
  region();
  return 0;
}
