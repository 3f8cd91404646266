// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that make tasks without an end do not overrun the stack that they run on, whichever and however small that is; nor does
// who makes many far down on one fill the memory.
#include "check.h"

#include <alloca.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { kilobyte = 1024, large = 8192 * kilobyte, small = 256 * kilobyte, smallest = 64 * kilobyte };
enum { steps = 300000, many_steps = 2000000, more_steps = 700000, levels = 130, produced = 200000, few = 50000, team = 16 };

static int ran;

/// What each step of a walk, and each leaf, needs of the stack, and how many leaves a step has.
static int frame_bytes = 100, leaf_bytes = 16, leaves = 3;

static void leaf(void) {
  char* const frame = alloca((size_t)leaf_bytes);
  __asm__ volatile("" : : "r"(frame) : "memory");
  frame[0] = 1;
  add(&ran, 1);
}

/// Each step makes leaves, which wait, and the next step. The leaves come to be as many as there may be; from there on the next
/// step would run on top of this one.
static void walk(int left) {
  char* const frame = alloca((size_t)frame_bytes);
  __asm__ volatile("" : : "r"(frame) : "memory");
  for (int i = 0; i < leaves; ++i) {
#pragma omp task
    leaf();
  }
  if (left > 0) {
#pragma omp task
    walk(left - 1);
  }
}

static void walk_alone(int count) {
  ran = 0;
#pragma omp parallel num_threads(1)
  walk(count);
  check(ran == leaves * (count + 1), "%d of %d leaves ran", ran, leaves * (count + 1));
}

static void* walk_here(void* count) {
  walk_alone((int)(intptr_t)count);
  return NULL;
}

/// The next step comes first at the end of a taskgroup, and the leaves wait for all steps.
static void* walk_in_a_taskgroup(void* count) {
  const int steps_here = (int)(intptr_t)count;
  ran = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp taskgroup
    walk(steps_here);
    check(ran == leaves * (steps_here + 1), "%d of %d leaves ran in a taskgroup", ran, leaves * (steps_here + 1));
  }
  return NULL;
}

/// How many tasks were made, have begun, and had not at one time.
static int made, begun, most;

/// Where more than half of a large stack is in use, with many tasks on it, and more than three quarters of a smaller one.
static void produce_far_down(int left) {
  char frame[34 * kilobyte];
  __asm__ volatile("" : : "r"(frame) : "memory");
  if (left > 0) {
#pragma omp task if (0)
    produce_far_down(left - 1);
    return;
  }
  for (int i = 0; i < produced; ++i) {
#pragma omp task
    add(&begun, 1);
    add(&made, 1);
    if (load(&made) - load(&begun) > most) most = load(&made) - load(&begun);
  }
}

static void* few_wait_far_down_in_a_team(void* unused) {
  pthread_barrier_t end;
  pthread_barrier_init(&end, NULL, team);
  made = begun = most = 0;
#pragma omp parallel num_threads(team)
  {
#pragma omp single nowait
    produce_far_down(levels);
    pthread_barrier_wait(&end);  // so that nobody else takes any
  }
  check(begun == produced, "%d of %d tasks ran", begun, produced);
  check(most <= 2 * few, "%d tasks of one member waited at one time, allowed: %d", most, 2 * few);
  pthread_barrier_destroy(&end);
  return unused;
}

static void* few_wait_far_down(void* unused) {
  made = begun = most = 0;
#pragma omp parallel num_threads(1)
  produce_far_down(levels);
  check(begun == produced, "%d of %d tasks ran", begun, produced);
  check(most <= few, "%d tasks waited at one time, allowed: %d", most, few);
  return unused;
}

/// A thread that has its region behind a walk, with little of its stack in use by tasks.
static void* few_wait_behind_a_walk(void* unused) {
  char filled[small - 48 * kilobyte];
  memset(filled, 0, sizeof filled);
  __asm__ volatile("" : : "r"(filled) : "memory");
  walk_alone(steps);
  int waiting = 0, most_waiting = 0;
#pragma omp parallel num_threads(1) shared(waiting, most_waiting)
  {
#pragma omp critical
    waiting = 0;  // from here on tasks are put, beside enough, too
    for (int i = 0; i < produced; ++i) {
      if (add(&waiting, 1) >= most_waiting) most_waiting = waiting;
#pragma omp task
      add(&waiting, -1);
    }
  }
  check(most_waiting <= few / 10, "%d tasks waited at one time behind a walk, allowed: %d", most_waiting, few / 10);
  return unused;
}

static void run_in_thread(size_t stack, void* (*function)(void*), int argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  check(pthread_attr_setstacksize(&attributes, stack) == 0, "no stack of %zu bytes", stack);
  check(pthread_create(&thread, &attributes, function, (void*)(intptr_t)argument) == 0, "no thread");
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

static void walk_in_coroutine(void) { walk_alone(steps); }

static void run_in_coroutine(size_t bytes) {
  ucontext_t here, there;
  void* const stack = malloc(bytes);
  check(stack != NULL && getcontext(&there) == 0, "no coroutine");
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = bytes;
  there.uc_link = &here;
  makecontext(&there, walk_in_coroutine, 0);
  swapcontext(&here, &there);
  free(stack);
}

/// Where each step takes a hundredth of the stack, and leaves come by the million.
static void walk_in_large_steps(void) {
  frame_bytes = 64 * kilobyte;
  leaves = 60;
  run_in_thread(large, walk_here, more_steps);
  frame_bytes = 100;
  leaves = 3;
}

/// Of what a leaf needs of a stack there is enough, as steps do not lie there.
static void walk_with_large_leaves(void) {
  leaf_bytes = large / 16 * 9;
  run_in_thread(large, walk_here, steps);
  leaf_bytes = 16;
}

int main(int count, char** arguments) {
  if (count > 1 && strcmp(arguments[1], "taskgroup") == 0) {
    run_in_thread(small, walk_in_a_taskgroup, steps / 6);
    return 0;
  }
  walk_alone(steps);
  run_in_thread(large, walk_here, steps);
  run_in_thread(small, walk_here, steps);
  run_in_thread(smallest, walk_here, many_steps);
  run_in_coroutine(small);
  walk_with_large_leaves();
  if (omp_get_max_threads() <= 2) walk_in_large_steps();  // the others do the same
  run_in_thread(large, few_wait_far_down, 0);
  run_in_thread(large, few_wait_far_down_in_a_team, 0);
  run_in_thread(small, few_wait_behind_a_walk, 0);
  return 0;
}
