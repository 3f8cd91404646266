// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task with each of its clauses, taskwait, taskyield. Argument: together, for what not every pool promises.
#include "check.h"
#include "fib.h"

#include <omp.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

static int count;

static void all_run_once(int n) {
  enum { tasks = 3000 };
  static int runs[tasks];
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i)
      add(&runs[i], 1);
    }
#pragma omp taskwait
    expect_each_once("tasks, past a taskwait", runs, tasks);
  }
}

static void taskwait_waits(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int round = 0; round < 3; ++round) {
    int passed = 0, done = 0;
#pragma omp task shared(passed, done)
    {
      check(stays_clear(&passed), "a task is past its taskwait while a child is running");
      store(&done, 1);
    }
#pragma omp taskwait
    store(&passed, 1);
    check(load(&done), "a task is past its taskwait before its child ran");
  }
}

/// Every member opens a tree of its own.
static void trees(int n) {
#pragma omp parallel num_threads(n)
  {
    const int me = omp_get_thread_num(), sum = fib(12);
    check(sum == 144, "fib(12) is %d", sum);
    check(me == omp_get_thread_num(), "member %d is member %d past a taskwait", me, omp_get_thread_num());
  }
}

static void undeferred(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 20; ++i) {
    const int me = omp_get_thread_num();
    int done = 0;
#pragma omp task if (0) shared(done)
    {
      check(omp_get_thread_num() == me, "a task with if(0) ran on another member");
#pragma omp task shared(done)
      add(&done, 1);
#pragma omp taskwait
      add(&done, 1);
    }
    check(done == 2, "behind a task with if(0) it is not done");
#pragma omp task if (0) mergeable shared(done)
    done = 3;
    check(done == 3, "behind a merged task it is not done");
#pragma omp task if (i % 2) shared(done)
    store(&done, 4);
#pragma omp taskwait
    check(done == 4, "a task with if(%d) did not run", i % 2);
  }
}

static void final_ones(int n) {
  int plain = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    check(!omp_in_final(), "omp_in_final is true outside of a final task");
#pragma omp task final(1) shared(plain)
    {
      check(omp_in_final(), "omp_in_final is false in a final task");
      int done = 0;
      const int me = omp_get_thread_num();
#pragma omp task shared(done)
      {
        check(omp_in_final(), "omp_in_final is false in the child of a final task");
        check(omp_get_thread_num() == me, "the child of a final task ran on another member");
        done = 1;
      }
      check(done == 1, "the child of a final task is not done at once");
      add(&plain, 1);
    }
#pragma omp task final(0) shared(plain)
    {
      check(!omp_in_final(), "omp_in_final is true in a task with final(0)");
      add(&plain, 1);
    }
  }
  check(plain == 2, "%d of 2 tasks with final ran", plain);
}

typedef struct {
  alignas(64) char bytes[64];
} aligned_line;

static void copied_values(int n) {
  int wrong = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 40; ++i) {
    char large[5000];
    aligned_line line;
    long small = 1000000007L * i;
    memset(large, i, sizeof large);
    memset(line.bytes, i + 1, sizeof line.bytes);
#pragma omp task firstprivate(large, line, small) shared(wrong) untied priority(i)
    {
      int bad = small != 1000000007L * i || (uintptr_t)&line % 64 != 0;
      for (unsigned j = 0; j < sizeof large; ++j) bad |= large[j] != (char)i;
      for (unsigned j = 0; j < sizeof line.bytes; ++j) bad |= line.bytes[j] != (char)(i + 1);
      add(&wrong, bad);
    }
    memset(large, 0xee, sizeof large);
    memset(line.bytes, 0xee, sizeof line.bytes);
    small = -1;
  }
  check(wrong == 0, "%d of 40 tasks found wrong arguments", wrong);
}

#define TEFF_ALIGNED(alignment)                                                                                             \
  do {                                                                                                                      \
    alignas(alignment) int object[2] = {alignment, 7};                                                                      \
    int last = 0;                                                                                                           \
    (void)last; /* an address alone */                                                                                      \
    _Pragma("omp parallel num_threads(n)") _Pragma("omp single") for (int i = 0; i < 20; ++i) {                             \
      _Pragma("omp task firstprivate(object) shared(wrong)") add(&wrong, is_wrong(object, alignment));                      \
      _Pragma("omp task firstprivate(object) shared(wrong) depend(inout : last)") add(&wrong, is_wrong(object, alignment)); \
    }                                                                                                                       \
    check(wrong == 0, "%d of 40 tasks have no object at multiples of " #alignment " bytes", wrong);                         \
  } while (0)

static int is_wrong(const int* object, int alignment) {
  return object[0] != alignment || object[1] != 7 || (uintptr_t)object % (uintptr_t)alignment != 0;
}

static void aligned_values(int n) {
  int wrong = 0;
  TEFF_ALIGNED(32);
  TEFF_ALIGNED(128);
  TEFF_ALIGNED(2048);
  TEFF_ALIGNED(4096);
  TEFF_ALIGNED(32768);
}

static void yields(int n) {
  count = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 50; ++i) {
#pragma omp task untied
    {
#pragma omp taskyield
      add(&count, 1);
#pragma omp task
      {
        add(&count, 1);
#pragma omp taskyield
      }
#pragma omp taskwait
#pragma omp taskyield
      add(&count, 1);
    }
  }
  check(count == 150, "%d steps of yielding tasks ran, not 150", count);
}

/// Children that nobody waits for end with the region, not with their parent.
static void nobody_waits(int n) {
  count = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp task
    {
      for (int i = 0; i < 5; ++i) {
#pragma omp task
        {
          sched_yield();
#pragma omp task
          add(&count, 1);
          add(&count, 1);
        }
      }
    }
  }
  check(count == 10 * n, "past a region %d of %d of its tasks are done", count, 10 * n);
}

/// Two tasks that one member has put run at the same time: each waits for the other. A pool that keeps the newest tasks to their
/// maker, as dq8 does, may run them after one another.
static void together(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    meet(&arrived, 2);
#pragma omp task
    meet(&arrived, 2);
  }
}

int main(int argument_count, char** arguments) {
  const int n = omp_get_max_threads();
#pragma omp task
  count = 1;
#pragma omp taskwait
  check(count == 1, "a task outside of any region is not done past a taskwait");
  all_run_once(n);
  taskwait_waits(n);
  taskwait_waits(3);
  trees(n);
  undeferred(n);
  final_ones(n);
  copied_values(n);
  aligned_values(n);
  yields(n);
  nobody_waits(n);
  if (argument_count > 1 && strcmp(arguments[1], "together") == 0) together();
  return 0;
}
