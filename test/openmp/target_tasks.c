// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target constructs as tasks: nowait, depend, in_reduction. Arguments: cancelled, cancelled_in_final, for what is in a cancelled
// taskgroup.
#include "cancelled_group.h"
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { steps = 200, width = 6 };

/// Of its type gcc takes the alignment for granted.
__attribute__((noinline)) static int is_askew(const volatile void* at, uintptr_t alignment) {
  __asm__ volatile("" : "+r"(at));
  return (uintptr_t)at % alignment != 0;
}

/// Each of another kind adds to what the one before has left.
static void chain(void) {
  long x = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int step = 0; step < steps; ++step) {
#pragma omp target nowait depend(inout : x) map(tofrom : x) firstprivate(step)
      x = x % 1000003 * 3 + step;
#pragma omp task depend(inout : x)
      x += 7;
#pragma omp target update to(x) depend(inout : x) nowait
#pragma omp target enter data map(to : x) depend(inout : x) nowait
#pragma omp target exit data map(from : x) depend(inout : x) nowait
      if (step % 50 == 0) {
#pragma omp target depend(inout : x) map(tofrom : x)
        x += 1;
      }
    }
  }
  long expected = 0;
  for (int step = 0; step < steps; ++step) expected = expected % 1000003 * 3 + step + 7 + (step % 50 == 0);
  check(x == expected, "a chain of target tasks comes to %ld, not %ld", x, expected);
}

/// Who only moves data waits for those before it, and those behind it for it.
static void data_behind(void) {
  int done = 0, seen[4] = {0};
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 1);
    }
#pragma omp target update to(seen) depend(inout : done)
    seen[0] = load(&done);
#pragma omp task depend(out : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 2);
    }
#pragma omp target enter data map(to : seen) depend(inout : done)
    seen[1] = load(&done);
#pragma omp task depend(out : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 3);
    }
#pragma omp target update to(seen) depend(in : done) depend(out : seen) nowait
#pragma omp task depend(in : seen)
    seen[2] = load(&done);
#pragma omp taskwait
#pragma omp task depend(inout : done)
    {
      int never = 0;
      stays_clear(&never);
      store(&done, 4);
    }
#pragma omp target exit data map(from : seen) depend(in : done) depend(inout : seen) nowait
#pragma omp task depend(in : seen)
    seen[3] = load(&done);
  }
  for (int i = 0; i < 4; ++i) check(seen[i] == i + 1, "behind step %d of data the task is at %d", i, seen[i]);
}

/// A task's arguments are its own: who has made it goes on, and writes to what was firstprivate.
static void own_arguments(void) {
  int total = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < 50; ++round) {
    struct {
      _Alignas(128) int words[width];
    } wide;
    for (int i = 0; i < width; ++i) wide.words[i] = round;
#pragma omp target nowait firstprivate(wide) map(tofrom : total)
    {
      int wrong = is_askew(&wide, 128);
      for (int i = 0; i < width; ++i) wrong += wide.words[i] != round;
      add(&total, wrong == 0 ? 1 : 1000);
    }
#pragma omp target depend(inout : wide) firstprivate(wide) map(tofrom : total)
    {
      int wrong = is_askew(&wide, 128);
      for (int i = 0; i < width; ++i) wrong += wide.words[i] != round;
      add(&total, wrong == 0 ? 1 : 1000);
      wide.words[0] = -1;
    }
    check(wide.words[0] == round, "a target region has written to what was firstprivate");
    for (int i = 0; i < width; ++i) wide.words[i] = -1;
  }
  check(total == 100, "of 100 target tasks with copies of their own %d are right", total);
}

static void waits(void) {
  int ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp target nowait map(tofrom : ran)
      add(&ran, 1);
    }
#pragma omp taskwait
    check(load(&ran) == 20, "behind a taskwait %d of 20 target tasks ran", load(&ran));
#pragma omp taskgroup
    {
#pragma omp target parallel num_threads(2) nowait map(tofrom : ran)
#pragma omp single
      add(&ran, 1);
    }
    check(load(&ran) == 21, "behind a taskgroup a target task has not run");
  }
#pragma omp target nowait map(tofrom : ran)
  add(&ran, 1);
#pragma omp taskwait
  check(ran == 22, "outside of regions a target task has not run");
}

/// In a final task nothing is deferred.
static void in_final(void) {
  int ran = 0, seen = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task final(1)
    {
#pragma omp target nowait map(tofrom : ran)
      {
        int never = 0;
        stays_clear(&never);
        store(&ran, 1);
      }
      seen = load(&ran);
#pragma omp target nowait map(tofrom : ran) depend(inout : ran)
      {
        int never = 0;
        stays_clear(&never);
        store(&ran, 2);
      }
      seen += 10 * load(&ran);
    }
  }
  check(seen == 21, "behind target tasks in a final one these are seen to be at %d, %d", seen % 10, seen / 10);
}

enum { before, deferred, behind, at_once, kinds };

static void begin_before(int* ran) {
#pragma omp target nowait map(tofrom : ran[:kinds])
  ran[before] = 1;
}
static void begin_in_cancelled(int* ran) {
#pragma omp target nowait map(tofrom : ran[:kinds])
  ran[deferred] = 1;
#pragma omp target nowait map(tofrom : ran[:kinds]) depend(inout : ran[behind])
  ran[behind] = 1;
#pragma omp target map(tofrom : ran[:kinds])
  ran[at_once] = 1;
}

/// Who is cancelled begins no target task; a target region that is none runs.
static void cancelled(void) {
  int ran[kinds] = {0};
  in_cancelled_group(begin_before, begin_in_cancelled, ran);
  check(ran[before] == 1, "a target task before a cancellation has not run");
  check(ran[deferred] == 0 && ran[behind] == 0, "target tasks of a cancelled taskgroup run: %d without depend, %d with",
        ran[deferred], ran[behind]);
  check(ran[at_once] == 1, "a target region of a cancelled taskgroup has not run");
}

/// The same where it would run at once.
static void cancelled_in_final(void) {
  int ran[kinds] = {0};
  in_cancelled_final_task(begin_in_cancelled, ran);
  check(ran[deferred] == 0 && ran[behind] == 0, "target tasks of a final task that is cancelled run");
  check(ran[at_once] == 1, "a target region of a final task that is cancelled has not run");
}

static void reductions(void) {
  int sum = 0, order = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
      for (int i = 1; i <= 40; ++i) {
#pragma omp target in_reduction(+ : sum) nowait firstprivate(i)
        sum += i;
#pragma omp target in_reduction(+ : sum) firstprivate(i)
        sum += i;
#pragma omp task depend(out : order)
        {
          int never = 0;
          stays_clear(&never);
          store(&order, i);
        }
#pragma omp target in_reduction(+ : sum) nowait firstprivate(i) map(tofrom : order) depend(inout : order)
        {
          sum += i;
          check(load(&order) == i, "a target task of a reduction ran before what it depends on");
        }
        // gcc 12 leaves out the nowait of those with in_reduction.
#pragma omp task depend(out : order)
        {
          int never = 0;
          stays_clear(&never);
          store(&order, -i);
        }
#pragma omp target nowait firstprivate(i) map(tofrom : order) depend(inout : order)
        check(load(&order) == -i, "a target task beside a reduction ran before what it depends on");
#pragma omp task in_reduction(+ : sum)
        sum += i;
      }
    }
  }
  check(sum == 4 * 820, "the reduction with target tasks is %d, not %d", sum, 4 * 820);
}

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "cancelled") == 0) {
    cancelled();
    return 0;
  }
  if (argument_count > 1 && strcmp(arguments[1], "cancelled_in_final") == 0) {
    cancelled_in_final();
    return 0;
  }
  in_final();
  chain();
  data_behind();
  own_arguments();
  waits();
  reductions();
  return 0;
}
