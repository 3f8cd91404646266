// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that make tasks without an end do not overrun the stack that they run on, whichever and however small that is; nor does who
// makes many far down on one fill the memory.
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { kilobyte = 1024, large = 8192 * kilobyte, small = 256 * kilobyte, smallest = 64 * kilobyte };
enum { steps = 300000, many_steps = 2000000, leaves = 3, levels = 130, produced = 200000, few = 50000 };

static int ran;

static void leaf(void) { add(&ran, 1); }

/// Each step makes leaves, which wait, and the next step. The leaves come to be as many as there may be; from there on the next
/// step would run on top of this one.
static void walk(int left) {
  char frame[100];
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

static void* few_wait_far_down(void* unused) {
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

int main(void) {
  walk_alone(steps);
  run_in_thread(large, walk_here, steps);
  run_in_thread(small, walk_here, steps);
  run_in_thread(smallest, walk_here, many_steps);
  run_in_coroutine(small);
  run_in_thread(large, few_wait_far_down, 0);
  run_in_thread(small, few_wait_behind_a_walk, 0);
  return 0;
}
