// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_pause_resource: a hard pause outside of regions ends the threads that are kept, a soft one leaves threadprivate variables
// as they are; what is no device or no kind, or comes inside of a region, is refused. Regions go on as before.
#include "check.h"

#include <dirent.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int own;
#pragma omp threadprivate(own)

static int threads_of_process(void) {
  int found = 0;
  DIR* const all = opendir("/proc/self/task");
  check(all != NULL, "no /proc/self/task");
  for (const struct dirent* each = readdir(all); each != NULL; each = readdir(all)) found += each->d_name[0] != '.';
  closedir(all);
  return found;
}

static int run_region(int n, int value) {
  int kept = 0;
#pragma omp parallel num_threads(n) reduction(+ : kept)
  {
    kept += own == value;
    own = 3;
#pragma omp task
    own = 3;
  }
  return kept;
}

/// A thread that was told to end may be seen for a moment.
static void check_threads(int most, const char* when) {
  for (long i = 0; threads_of_process() > most; ++i) {
    check(i < 1000000, "%d threads %s, where %d are used", threads_of_process(), when, most);
    sched_yield();
  }
}

/// A child gives back nothing of its parent, and its regions have as many threads as ever.
static void pause_in_child(int n) {
  run_region(n, 0);
  const pid_t child = fork();
  check(child >= 0, "there is no child");
  if (child == 0) {
    check(omp_pause_resource_all(omp_pause_hard) == 0, "a child may not pause");
    check_threads(1, "in a child behind a pause");
    int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
    members += 1;
    check(members == n, "in a child behind a pause a region has %d threads, not %d", members, n);
    check(omp_pause_resource_all(omp_pause_hard) == 0, "a child with threads may not pause");
    check_threads(1, "in a child behind its second pause");
    _exit(0);
  }
  int status = -1;
  check(waitpid(child, &status, 0) == child && status == 0, "a child that pauses ends with status %#x", (unsigned)status);
}

int main(int count, char** words) {
  (void)words;
  const int n = 4, stock = count == 1;
  check(omp_pause_resource_all(omp_pause_hard) == 0, "before the first region nothing can be given back");
  run_region(n, 0);
  check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0, "a soft pause is refused");
  if (!stock) check(run_region(n, 3) == n, "a soft pause has lost threadprivate variables");
  check(omp_pause_resource(omp_pause_hard, omp_get_initial_device()) == 0, "a hard pause is refused");
  check_threads(1, "behind a hard pause");
  run_region(n, 3);
  check(omp_pause_resource_all(omp_pause_hard) == 0, "a hard pause of all is refused");
  check_threads(1, "behind a hard pause of all");
  check(omp_pause_resource(omp_pause_hard, 99) != 0, "device 99 is there");
  int refused = 0;
#pragma omp parallel num_threads(2) reduction(+ : refused)
  refused += omp_pause_resource_all(omp_pause_hard) != 0;
  check(refused == 2, "%d of 2 members may give up their region", 2 - refused);
  if (!stock) {
    int in_target = 0, in_both = 0;
#pragma omp target map(tofrom : in_target)
    in_target = omp_pause_resource_all(omp_pause_hard) != 0;
#pragma omp parallel num_threads(2) reduction(+ : in_both)
    {
#pragma omp target map(tofrom : in_both)
      in_both += omp_pause_resource(omp_pause_hard, 0) != 0;
    }
    check(in_target == 1 && in_both == 2, "a target region may pause: outside of regions %d, of 2 members %d", 1 - in_target,
          2 - in_both);
    pause_in_child(n);
    check(omp_pause_resource_all((omp_pause_resource_t)7) != 0, "there is a kind 7");
    check(omp_pause_resource(omp_pause_soft, -1) == 0, "the host is no device");
  }
  check(run_region(n, 9) == 0 && omp_get_max_threads() > 0, "a region behind a pause is wrong");
  return 0;
}
