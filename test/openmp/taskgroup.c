// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskgroup: waits for descendants of all generations, and for nobody else. Argument: grandchildren, for what not
// every runtime promises.
#include "check.h"

#include <omp.h>
#include <string.h>

static void tree(int levels, int* done) {
  for (int i = 0; i < 2 && levels > 0; ++i) {
#pragma omp task
    {
      tree(levels - 1, done);
      add(done, 1);
    }
  }
}

static void all_generations(int n) {
#pragma omp parallel num_threads(n)
  {
    int done = 0;
#pragma omp taskgroup
    tree(6, &done);
    check(load(&done) == 126, "past a taskgroup %d of 126 descendants are done", load(&done));
  }
}

static void holds_up(int n) {
  int grandchildren = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    int passed = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(passed)
      {
#pragma omp task shared(passed)
        {
          check(stays_clear(&passed), "a task is past its taskgroup while a grandchild is running");
          add(&grandchildren, 1);
        }
      }
    }
    store(&passed, 1);
    check(load(&grandchildren) == 1, "past a taskgroup the grandchild has not run");
#pragma omp taskwait
  }
}

static void nested(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int round = 0; round < 20; ++round) {
    int inner = 0, outer = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(outer)
      add(&outer, 1);
#pragma omp taskgroup
      {
        tree(3, &inner);
#pragma omp task shared(inner)
        {
          int innermost = 0;
#pragma omp taskgroup
          tree(2, &innermost);
          check(load(&innermost) == 6, "past the innermost taskgroup %d of 6 are done", load(&innermost));
          add(&inner, 1);
        }
      }
      check(load(&inner) == 15, "past the inner taskgroup %d of 15 are done", load(&inner));
      tree(3, &outer);
    }
    check(load(&outer) == 15, "past the outer taskgroup %d of 15 are done", load(&outer));
  }
}

/// The descendants of a task that runs at once are waited for, too, though it lies on a stack until it has children.
static void below_at_once(int n) {
#pragma omp parallel num_threads(n)
  {
    int done = 0;
#pragma omp taskgroup
    {
#pragma omp task if (0) shared(done)
#pragma omp task if (0) shared(done)
#pragma omp task shared(done)
      store(&done, 1);
    }
    check(load(&done) == 1, "past a taskgroup a descendant of a task with if(0) is not done");
  }
}

/// A task from before the taskgroup may still be waiting for what comes after it.
static void not_for_others(void) {
  int after = 0, ended = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      while (!load(&after)) sched_yield();
      store(&ended, 1);
    }
    int mine = 0;
#pragma omp taskgroup
    {
#pragma omp task if (0) shared(mine)
      mine = 1;
    }
    check(mine == 1, "past a taskgroup its task is not done");
    store(&after, 1);
#pragma omp taskwait
    check(load(&ended), "the task from before the taskgroup is not done past a taskwait");
  }
}

/// Who waits for a taskgroup begins a grandchild, wherever it lies: its parent, on the only other member, does not end before.
static void runs_grandchildren(void) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    int child_in = 0, grandchild_ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task shared(child_in, grandchild_ran)
      {
        store(&child_in, 1);
#pragma omp task shared(grandchild_ran)
        store(&grandchild_ran, 1);
        while (!load(&grandchild_ran)) sched_yield();
      }
      while (!load(&child_in)) sched_yield();
    }
  }
}

int main(int argument_count, char** arguments) {
  const int n = omp_get_max_threads();
  int outside = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(outside)
    outside = 1;
  }
  check(outside == 1, "past a taskgroup outside of any region its task is not done");
  all_generations(n);
  holds_up(n);
  holds_up(3);
  nested(n);
  below_at_once(n);
  not_for_others();
  if (argument_count > 1 && strcmp(arguments[1], "grandchildren") == 0) runs_grandchildren();
  return 0;
}
