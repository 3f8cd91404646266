// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children that _Fork() makes in a region while its other members hold locks: of the pool, which is theirs for ever in the
// child. Each child ends with a sentence, and none hangs. In a region of its own a child waits for locks like anybody else.
#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { lost = 70, own_code = 3, children = 60, seconds_to_live = 20 };

static void put_tasks(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    __asm__ volatile("" ::: "memory");
  }
#pragma omp taskwait
}

// Effect: the members of a region of this process meet at a lock, and stay in it for a while.
static int meetings(int threads) {
  int sum = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 2000; ++i) {
#pragma omp critical
    {
      ++sum;
      for (volatile int pause = 0; pause < 200; ++pause) continue;
    }
  }
  return sum;
}

static void expect_code(pid_t child, int code) {
  int status = -1;
  check(child > 0 && waitpid(child, &status, 0) == child, "there is no child");
  check(WIFEXITED(status) && WEXITSTATUS(status) == code, "a child ended with status %d, not code %d", status, code);
}

static void return_to_the_region(void) {
  int enough = 0;
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < children; ++i) {
      const pid_t child = _Fork();
      if (child == 0) {
        alarm(seconds_to_live);
        put_tasks(20);
        _exit(4);
      }
      expect_code(child, lost);
    }
#pragma omp atomic write
    enough = 1;
  } else {
    for (int ended = 0; !ended;) {
      put_tasks(50);
#pragma omp atomic read
      ended = enough;
    }
  }
}

static void use_own_regions(pid_t (*fork_one)(void)) {
#pragma omp parallel num_threads(2)
  {
    // Behind it no thread is being made any more, which may hold the lock of the heap.
#pragma omp barrier
#pragma omp single
    {
      const pid_t child = fork_one();
      if (child == 0) {
        alarm(seconds_to_live);
        _exit(meetings(3) == 6000 ? own_code : 4);
      }
      expect_code(child, own_code);
    }
  }
}

int main(int argc, char** argv) {
  omp_set_max_active_levels(2);
  if (argc > 1 && strcmp(argv[1], "own regions") == 0) {
    use_own_regions(fork);
    use_own_regions(_Fork);
  } else {
    return_to_the_region();
  }
  return 0;
}
