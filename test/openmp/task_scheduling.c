// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task scheduling constraint: a thread that has suspended a tied task begins only descendants of it.
#include "check.h"

#include <omp.h>

struct node {
  const struct node* parent;
};

enum { deepest = 200, regions = 100, trees = 3 };
static const struct node* suspended[deepest];
static int depth;
#pragma omp threadprivate(suspended, depth)

static int begun;

static int descends(const struct node* of, const struct node* from) {
  while (of != 0 && of != from) of = of->parent;
  return of == from;
}

static void begin(const struct node* me) {
  for (int i = 0; i < depth; ++i)
    check(descends(me, suspended[i]), "a thread began a task that is no descendant of one it suspended");
  check(depth < deepest, "more than %d tasks are suspended on one thread", deepest);
  suspended[depth++] = me;
  add(&begun, 1);
}

static void end(const struct node* me) {
  check(depth > 0 && suspended[depth - 1] == me, "a task ends on another thread than it began on, or out of order");
  --depth;
}

static void tree(const struct node* parent, int levels) {
  struct node me = {parent};
  begin(&me);
  if (levels > 0) {
    for (int i = 0; i < 3; ++i) {
#pragma omp task shared(me)
      tree(&me, levels - 1);
      if (i == 1) {
#pragma omp taskyield
      }
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task shared(me)
      tree(&me, levels - 2);
    }
  }
  end(&me);
}

int main(void) {
  const int n = omp_get_max_threads();
  // Members take each other's children when they have nothing else to do: at the end of a region.
  for (int repeat = 0; repeat < regions; ++repeat) {
#pragma omp parallel num_threads(n)
#pragma omp single
    for (int i = 0; i < trees; ++i) {
#pragma omp task
      tree(0, 3);
    }
  }
  check(begun >= regions * trees * 40, "only %d tasks ran", begun);
  return 0;
}
