// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where many tasks wait and nobody asks for more, further ones may run at once, on top of their creators. Such a task is one like
// others: it may have children, wait for them and be waited for; few lie on one stack; others get work meanwhile; and where locks
// are in play, it does not stand in the way of who holds one.
#include "check.h"

#include <omp.h>
#include <stdint.h>

enum { spine = 30000, levels = 9, waves = 40, wide = 400, measured = 3000, forks = 12, chained = 1000 };

static int ran;

static void leaf(void) { add(&ran, 1); }

/// Each step makes leaves, which wait, and the next step: were all steps to lie on one stack, it would be megabytes deep.
static void step(int left) {
  char frame[200];
  __asm__ volatile("" : : "r"(frame) : "memory");
  for (int i = 0; i < 3; ++i) {
#pragma omp task
    leaf();
  }
  if (left > 0) {
#pragma omp task
    step(left - 1);
  }
}

/// A thread's least and greatest stack address among those that tasks of the spine have seen.
static uintptr_t lowest, highest;
#pragma omp threadprivate(lowest, highest)

static void see(const void* frame) {
  const uintptr_t here = (uintptr_t)frame;
  if (lowest == 0 || here < lowest) lowest = here;
  if (here > highest) highest = here;
}

static void measured_step(int left) {
  see(__builtin_frame_address(0));
  for (int i = 0; i < 3; ++i) {
#pragma omp task
    leaf();
  }
  if (left > 0) {
#pragma omp task
    measured_step(left - 1);
  }
}

static void measured_chain(int left) {
  see(__builtin_frame_address(0));
  if (left > 0) {
#pragma omp task
    measured_chain(left - 1);
  }
}

/// A tree of chains. Were all its nodes to be begun before the first chain, there would be too many tasks, which then run at
/// once.
static void measured_tree(int left) {
  if (left == 0) {
    measured_chain(chained);
    return;
  }
  for (int i = 0; i < 2; ++i) {
#pragma omp task
    measured_tree(left - 1);
  }
}

/// Effect: a region; how deep its tasks have lain on each stack is looked at.
static void check_stacks(int n, void (*make)(int), int left) {
#pragma omp parallel num_threads(n)
  {
    lowest = highest = 0;
#pragma omp barrier
#pragma omp single
    make(left);
    check(highest - lowest < 256 * 1024, "tasks lie %ld bytes deep on one stack", (long)(highest - lowest));
  }
}

static void stacks_stay_flat(int n) {
  ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  step(spine);
  check(ran == 3 * (spine + 1), "%d of %d leaves ran", ran, 3 * (spine + 1));
  for (int members = n;; members = 1) {
    check_stacks(members, measured_step, measured);
    check_stacks(members, measured_tree, forks);
    if (members == 1) break;  // nobody asks it for tasks
  }
}

/// Returns: the number of leaves below, each counted by its parent after its end.
static int tree(int left) {
  int below[3] = {0, 0, 0};
  if (left == 0) return 1;
  for (int i = 0; i < 3; ++i) {
#pragma omp task shared(below)
    below[i] = tree(left - 1);
  }
#pragma omp taskwait
  return below[0] + below[1] + below[2];
}

static void group_of_grandchildren(int* done) {
#pragma omp taskgroup
  {
    for (int i = 0; i < 4; ++i) {
#pragma omp task
      {
#pragma omp task
        add(done, 1);
      }
    }
  }
  check(load(done) == 4, "a taskgroup ended with %d of 4 grandchildren", load(done));
}

/// With enough tasks waiting, trees with waits and groups in each task.
static void waits_hold(int n) {
  int leaves = 0, expected = 1;
  for (int i = 0; i < levels; ++i) expected *= 3;
  ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < wide * n; ++i) {
#pragma omp task
      {
        int done = 0;
        group_of_grandchildren(&done);
        leaf();
      }
    }
#pragma omp task shared(leaves)
    leaves = tree(levels);
  }
  check(ran == wide * n, "%d tasks ran, not %d", ran, wide * n);
  check(leaves == expected, "a tree has %d leaves, not %d", leaves, expected);
}

static omp_lock_t lock;

static void want_lock(void) {
  omp_set_lock(&lock);
  ++ran;
  omp_unset_lock(&lock);
}

static void wanting_child(void) {
#pragma omp task
  want_lock();
}

/// More children and grandchildren want the lock than are enough: none may run on top of who holds it, nor on top of a child
/// that the holder waits for.
static void holders_go_on(int n) {
  ran = 0;
  for (int wave = 0; wave < waves; ++wave) {
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp task
    {
      omp_set_lock(&lock);
      for (int i = 0; i < 100 * n; ++i) {
#pragma omp task
        wanting_child();
      }
#pragma omp taskwait
      for (int i = 0; i < 100 * n; ++i) {
#pragma omp task
        want_lock();
      }
      omp_unset_lock(&lock);
    }
  }
  check(ran == waves * 200 * n, "%d tasks had the lock, not %d", ran, waves * 200 * n);
}

static void wait_for_creator(const int* may_end) {
  while (load(may_end) == 0) sched_yield();
}

/// As many as gcc's library puts wait for what their creator does behind them: none may run on top of it.
static void as_many_wait_as_elsewhere(int n) {
  enum { for_each_member = 64, more = 1 };
  int may_end = 0;
#pragma omp parallel num_threads(n)
#pragma omp master
  {
    for (int i = 0; i < for_each_member * n + more; ++i) {
#pragma omp task shared(may_end)
      wait_for_creator(&may_end);
    }
    store(&may_end, 1);
  }
}

/// Returns: how many children of the running task are put before one runs at once, of 1,000 at most.
static int put_before_one_runs(void) {
  enum { at_most = 1000 };
  int made = 0, is_creating = 1, ran_at_once = 0;
  for (; made < at_most && load(&ran_at_once) == 0; ++made) {
#pragma omp task shared(is_creating, ran_at_once)
    if (load(&is_creating)) store(&ran_at_once, 1);
  }
  store(&is_creating, 0);
#pragma omp taskwait
  return load(&ran_at_once) ? made - 1 : made;
}

/// In a team of one nobody asks. A task of a barrier counts as one that waits while it runs, as those do that have yet to.
static void as_many_are_put_as_elsewhere(void) {
  enum { enough = 64, beside_none_one_and_two = 3 * enough - (1 + 2) };
  int of_region = 0, of_tasks = 0;
#pragma omp parallel num_threads(1)
  {
    of_region = put_before_one_runs();
    for (int i = 0; i < 3; ++i) {
#pragma omp task shared(of_tasks)
      of_tasks += put_before_one_runs();
    }
  }
  check(of_region == enough + 1, "%d children of a region were put, not %d", of_region, enough + 1);
  check(of_tasks == beside_none_one_and_two, "%d children of three tasks were put, not %d", of_tasks, beside_none_one_and_two);
}

enum { height = 22, tasks = 92735 };
/// How many tasks of a tree there are, have begun, and, in a team of one, have not at one time.
static int made, begun, most;

static void binary_tree(int left) {
  add(&begun, 1);
  for (int below = left - 2; left > 0 && below < left; ++below) {
    add(&made, 1);
#pragma omp task
    binary_tree(below);
    if (omp_get_num_threads() == 1 && load(&made) - load(&begun) > most) most = load(&made) - load(&begun);
  }
}

/// Nobody waits for its tasks but the barrier. Behind a lock none runs at once.
static void run_tree(int n, int with_lock) {
  begun = made = most = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    if (with_lock) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
    binary_tree(height);
  }
  check(begun == tasks, "%d tasks of a tree began, not %d", begun, tasks);
}

static void few_of_a_tree_wait(int n) {
  enum { few = 300 };
  for (int with_lock = 0; with_lock < 2; ++with_lock) {
    run_tree(n, with_lock);
    run_tree(1, with_lock);
    check(most <= few, "%d tasks of a tree waited at one time, allowed: %d", most, few);
  }
}

int main(int count, char** arguments) {
  const int n = omp_get_max_threads();
  const char which = count > 1 ? arguments[1][0] : 'w';
  omp_init_lock(&lock);
  if (which == 'f') stacks_stay_flat(n);
  else if (which == 'l') holders_go_on(n);
  else if (which == 't') few_of_a_tree_wait(n);
  else if (which == 'm') {
    as_many_wait_as_elsewhere(n);
    as_many_are_put_as_elsewhere();
  } else waits_hold(n);
  omp_destroy_lock(&lock);
  return 0;
}
