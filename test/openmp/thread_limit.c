// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread-limit-var: how many threads the regions of an initial thread have together. For OMP_THREAD_LIMIT=6.
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { limit = 6 };

static int size_of_region(int asked) {
  int size = 0;
#pragma omp parallel num_threads(asked)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

/// Two members open a region each at the same time: those have no more threads together than there may be.
static void nested_at_once(void) {
  for (int round = 0; round < 200; ++round) {
    int sizes[2] = {0, 0}, begun = 0, open = 0;
#pragma omp parallel num_threads(2)
    {
      const int outer = omp_get_thread_num();
      meet(&begun, 2);
#pragma omp parallel num_threads(limit)
      if (omp_get_thread_num() == 0) {
        sizes[outer] = omp_get_num_threads();
        meet(&open, 2);
      }
    }
    const int all = sizes[0] + sizes[1];
    check(all <= limit, "regions of %d and %d threads at once", sizes[0], sizes[1]);
    check(all == limit, "regions of %d and %d threads: some are left", sizes[0], sizes[1]);
  }
  check(size_of_region(limit + 2) == limit, "a region has %d threads", size_of_region(limit + 2));
}

/// What is left to a region inside one of two threads.
static void expect_inner(const char* where) {
  int inner = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  inner = size_of_region(limit + 2);
  check(inner == limit - 1, "%s an inner region has %d threads, not %d", where, inner, limit - 1);
}

static int held, may_end;

static void* hold_a_region(void* unused) {
#pragma omp parallel num_threads(4)
  {
    add(&held, 1);
    while (!load(&may_end)) sched_yield();
  }
  return unused;
}

/// Threads of another initial thread do not count; nor do those of a parent.
static void beside_another(int forks) {
  pthread_t other;
  check(pthread_create(&other, NULL, hold_a_region, NULL) == 0, "there is no thread");
  while (load(&held) < 4) sched_yield();
  expect_inner("beside another initial thread");
  const pid_t child = forks ? fork() : -1;
  if (child == 0) {
    expect_inner("in a child of fork");
    _exit(0);
  }
  store(&may_end, 1);
  pthread_join(other, NULL);
  int status = 0;
  check(!forks || waitpid(child, &status, 0) == child, "there is no child");
  check(status == 0, "the child ended with status %d", status);
}

/// A child of fork that begins inside a region: its parent's threads of that region are not in it.
static void inside_a_region(void) {
#pragma omp parallel num_threads(4)
#pragma omp masked
  {
    const pid_t child = fork();
    if (child == 0) {
      check(size_of_region(limit + 2) == limit, "in a child that began in a region a region has %d threads",
            size_of_region(limit + 2));
      _exit(0);
    }
    int status = -1;
    check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "the child ended with status %d", status);
  }
}

int main(int count, char** words) {
  const int forks = count > 1 && strcmp(words[1], "fork") == 0;
  omp_set_max_active_levels(2);
  nested_at_once();
  beside_another(forks);
  if (forks) inside_a_region();
  return 0;
}
