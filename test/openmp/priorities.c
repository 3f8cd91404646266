// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Priorities order the tasks that are ready, up to OMP_MAX_TASK_PRIORITY. With one thread the order is exact: the highest first.
// With an argument also the oldest first of one priority, and those below 0 and in trees, at which gcc's library crashes.
#include "check.h"

#include <omp.h>

enum { many = 48 };
static int order[4 * many], ran, strict;

static void note(int what) { order[ran++] = what; }

static int at_most(int priority) {
  const int most = omp_get_max_task_priority();
  return priority < 0 ? 0 : priority > most ? most : priority;
}

/// What ran is in order of priority, and of age where that is the same.
static void check_order(const int* priorities, int count, const char* what) {
  check(ran == count, "%s: %d of %d tasks ran", what, ran, count);
  for (int i = 1; i < count; ++i) {
    const int before = order[i - 1], now = order[i], p = at_most(priorities[before]), q = at_most(priorities[now]);
    check(p > q || (p == q && (before < now || p == 0 || !strict)),
          "%s: task %d of priority %d ran behind task %d of priority %d", what, now, priorities[now], before, priorities[before]);
  }
}

static void make_row(const int* priorities) {
  for (int i = 0; i < many; ++i) {
#pragma omp task priority(priorities[i]) firstprivate(i)
    note(i);
  }
}

static void of_one_thread(void) {
  static int priorities[many];
  for (int i = 0; i < many; ++i) priorities[i] = (i * 7) % 11 - (strict ? 2 : 0);
  // First the wait: behind it the team has met priorities.
  ran = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
    make_row(priorities);
#pragma omp taskwait
    check_order(priorities, many, "a taskwait");
    ran = 0;
#pragma omp taskgroup
    make_row(priorities);
    check_order(priorities, many, "a taskgroup");
  }
  ran = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  make_row(priorities);
  check_order(priorities, many, "the end of a region");
}

/// Tasks that others release are in order with those that are ready, tasks of a taskloop with others.
static void of_released_tasks(void) {
  static const int priorities[] = {1, 2, 5, 3, 4};
  int x = 0;
  ran = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task depend(out : x) priority(7)
    x = 1;
#pragma omp task depend(in : x) priority(1)
    note(0);
#pragma omp task priority(2)
    note(1);
#pragma omp task depend(in : x) priority(5)
    note(2);
#pragma omp task priority(3)
    note(3);
#pragma omp task depend(mutexinoutset : x) priority(4)
    note(4);
  }
  // The one that is not to run at once with others is behind the readers, whatever its priority.
  check(ran == 5 && order[0] == 2 && order[1] == 3 && order[2] == 1 && order[3] == 0 && order[4] == 4,
        "released tasks of the priorities %d, %d, %d, %d, %d ran in the order %d, %d, %d, %d, %d", priorities[0], priorities[1],
        priorities[2], priorities[3], priorities[4], order[0], order[1], order[2], order[3], order[4]);
  ran = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task priority(1)
    note(0);
#pragma omp taskloop priority(3) nogroup grainsize(1)
    for (int i = 1; i < 4; ++i) note(i);
#pragma omp task priority(2)
    note(4);
  }
  static const int of_loop[] = {1, 3, 3, 3, 2};
  check_order(of_loop, 5, "a taskloop");
}

/// On more threads each task runs once, whatever others do meanwhile; children are waited for in their order or not.
static void of_many_threads(int n) {
  int ended = 0, children = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < 200; ++i) {
#pragma omp task priority(i % 9 - strict) shared(ended, children) firstprivate(i)
      {
        int mine = 0;
        for (int j = 0; j < 4; ++j) {
#pragma omp task priority(j*(i % 3)) shared(mine, children)
          {
            add(&mine, 1);
            add(&children, 1);
          }
        }
        if (i % 2 == 0) {
#pragma omp taskwait
          check(load(&mine) == 4, "a taskwait ends behind %d of 4 children", load(&mine));
          add(&ended, 1);
        } else {
#pragma omp taskgroup
          {
#pragma omp task priority(8) shared(ended)
            add(&ended, 1);
          }
#pragma omp taskwait
        }
      }
    }
  }
  check(load(&ended) == 200 && load(&children) == 800, "%d tasks of 200 and %d of 800 ran", load(&ended), load(&children));
}

int main(int count, char** words) {
  (void)words;
  strict = count > 1;
  if (omp_get_max_task_priority() > 0) {
    of_one_thread();
    of_released_tasks();
  }
  if (strict || omp_get_max_task_priority() == 0) of_many_threads(omp_get_max_threads());
  return 0;
}
