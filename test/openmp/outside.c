// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks put outside of all regions: the team there has one member, no barrier follows, and each runs at once.
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

static void with_each_clause(void) {
  int done = 0;
#pragma omp task shared(done)
  {
    check(omp_get_thread_num() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel(), "a task outside is not alone");
    check(!omp_in_final(), "a plain task is final");
    done = 1;
  }
  check(done == 1, "a task is not done at once");
  for (int yes = 0; yes < 2; ++yes) {
#pragma omp task if (yes) shared(done)
    ++done;
#pragma omp task final(yes) shared(done)
    {
      check(omp_in_final() == yes, "omp_in_final is %d in a task with final(%d)", omp_in_final(), yes);
#pragma omp task shared(done)
      {
        check(omp_in_final() == yes, "omp_in_final is %d in the child of a task with final(%d)", omp_in_final(), yes);
        ++done;
      }
    }
#pragma omp task untied mergeable priority(3) shared(done)
    {
#pragma omp taskyield
      ++done;
    }
  }
  check(done == 7, "of 7 tasks %d are done at once", done);
}

/// Arguments are copied as for a task that waits.
static void with_arguments(void) {
  typedef struct {
    alignas(64) char bytes[192];
  } aligned_lines;
  aligned_lines lines;
  char large[5000];
  int right = 0;
  memset(lines.bytes, 3, sizeof lines.bytes);
  memset(large, 5, sizeof large);
#pragma omp task firstprivate(lines, large) shared(right)
  {
    right = (uintptr_t)&lines % 64 == 0 && lines.bytes[191] == 3 && large[4999] == 5;
    memset(lines.bytes, 9, sizeof lines.bytes);
    memset(large, 9, sizeof large);
  }
  check(right && lines.bytes[0] == 3 && large[0] == 5, "a task outside has no copies of its own");
}

static int tree(int depth) {
  int left = 0, right = 0, behind = 0;
  if (depth == 0) return 1;
#pragma omp task shared(left)
  left = tree(depth - 1);
  check(left == 1 << (depth - 1), "a child of a task outside is not done at once");
#pragma omp taskgroup
  {
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp task shared(behind)
    behind = 1;
    check(behind == 1, "a task in a taskgroup outside is not done at once");
  }
#pragma omp taskwait
  return left + right;
}

static void in_loops(void) {
  int count = 0, passes = 0;
#pragma omp taskloop nogroup shared(count) grainsize(7)
  for (int i = 0; i < 100; ++i) ++count;
  check(count == 100, "past a taskloop with nogroup %d of 100 iterations are done", count);
#pragma omp taskloop shared(count) num_tasks(8)
  for (unsigned long long i = 100; i > 0; --i) {
#pragma omp task shared(count)
    ++count;
  }
  check(count == 200, "past a taskloop with tasks inside %d of 200 are done", count);
#pragma omp for
  for (int i = 0; i < 10; ++i) {
#pragma omp task shared(passes)
    ++passes;
    check(passes == i + 1, "a task in a loop outside is not done at once");
  }
#pragma omp single
#pragma omp task shared(passes)
  ++passes;
  check(passes == 11, "a task in a single outside is not done");
}

/// A region between two tasks, and one inside a task.
static void beside_regions(int n) {
  int before = 0, inside = 0, behind = 0, deep = 0;
#pragma omp task shared(before)
  before = 1;
#pragma omp parallel num_threads(n)
  {
    check(before == 1, "a task outside is not done in the next region");
#pragma omp task shared(inside)
    add(&inside, 1);
  }
  check(inside == n, "past a region %d of %d tasks are done", inside, n);
#pragma omp task shared(behind, deep)
  {
#pragma omp parallel num_threads(n)
    {
#pragma omp task shared(deep)
      add(&deep, 1);
    }
    check(deep == n, "past a region in a task %d of %d tasks are done", deep, n);
#pragma omp task shared(behind)
    behind = 1;
    check(behind == 1, "behind a region in a task a task is not done at once");
  }
  check(behind == 1, "a task behind a region is not done at once");
}

__attribute__((noinline)) static void be_a_team(void) {
  int count = 0;
#pragma omp task shared(count)
  ++count;
  check(count == 1, "a task in a teams region is not done at once");
}

static void in_teams(void) {
#pragma omp teams num_teams(2)
  be_a_team();
}

static void* all(void* threads) {
  with_each_clause();
  with_arguments();
  check(tree(8) == 1 << 8, "a tree of tasks has the wrong sum");
  in_loops();
  beside_regions(*(int*)threads);
  with_each_clause();
  return NULL;
}

static void* leave_a_task(void* word) {
#pragma omp task
  store(word, 1);
  return NULL;
}

static int main_is_over;
static void at_the_end(void) {
  int done = 0;
#pragma omp task shared(done)
  done = main_is_over;
  check(done == 1, "a task of an exit handler is not done at once");
}

int main(void) {
  int n = omp_get_max_threads(), done = 0;
  pthread_t thread;
  atexit(at_the_end);
  check(pthread_create(&thread, NULL, leave_a_task, &done) == 0, "no thread");
  pthread_join(thread, NULL);
  check(done == 1, "a task is not done when its thread has ended");
  check(pthread_create(&thread, NULL, all, &n) == 0, "no thread");
  all(&n);
  pthread_join(thread, NULL);
  in_teams();
  main_is_over = 1;
  return 0;
}
