// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default team as C programs use it: from several threads at once, from calls inside of calls, before and after main.
// usage: from_c [fork]: from children of fork, too.
#include "teff/teff.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { threads = 6, rounds = 20, size = 1000, right_sum = 499500, workers_at_most = 256 };

static void require(int holds, const char* what) {
  if (holds) return;
  printf("%s: not so\n", what);
  fflush(stdout);
  _Exit(1);
}

static void add(size_t begin, size_t end, void* value, void* data) {
  size_t* const sum = value;
  (void)data;
  for (size_t i = begin; i < end; ++i) *sum += i;
}
static void combine(void* left, const void* right, void* data) {
  (void)data;
  *(size_t*)left += *(const size_t*)right;
}

static int sums_are_right(void) {
  size_t sum = 0;
  return teff_parallel_reduce(0, size, 1, &sum, sizeof sum, add, combine, NULL) == TEFF_OK && sum == right_sum;
}

// ---- nested, and from several threads at once -------------------------------------------------------------------------------

static void sum_in_a_task(teff_worker* self, void* right) {
  require(self != NULL && self == teff_self(), "a function of a join has a worker");
  *(int*)right = sums_are_right();
}

static void* call_often(void* unused) {
  (void)unused;
  for (int round = 0; round < rounds; ++round) {
    int first = 0, second = 0;
    require(teff_self() == NULL, "a thread that is no worker has none");
    require(teff_join(sum_in_a_task, &first, sum_in_a_task, &second) == TEFF_OK, "joins of a foreign thread are answered");
    require(first && second, "sums inside of joins are right");
  }
  return NULL;
}

static void call_from_threads(void) {
  pthread_t made[threads];
  for (int i = 0; i < threads; ++i) require(pthread_create(&made[i], NULL, call_often, NULL) == 0, "there is a thread");
  for (int i = 0; i < threads; ++i) pthread_join(made[i], NULL);
}

// ---- a value for each worker: what teff_number is for -----------------------------------------------------------------------

static void count(size_t begin, size_t end, void* data) { ((size_t*)data)[teff_number(teff_self())] += end - begin; }

static void count_by_worker(void) {
  size_t counts[workers_at_most] = {0}, sum = 0;
  require(teff_parallel_for(0, size, 1, count, counts) == TEFF_OK, "a loop is answered");
  for (int i = 0; i < teff_default_workers(); ++i) sum += counts[i];
  require(sum == size, "the workers have counted each index once");
}

// ---- children of fork ---------------------------------------------------------------------------------------------------------

static int child_is_right(void) {
  int status = -1;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);  // one that hangs is killed
    _exit(sums_are_right() ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void fork_in_a_task(teff_worker* self, void* right) {
  (void)self;
  *(int*)right = child_is_right();
}

static void call_from_children(void) {
  int first = 0, second = 0;
  require(child_is_right(), "a child has a team of its own");
  require(teff_join(fork_in_a_task, &first, fork_in_a_task, &second) == TEFF_OK && first && second, "a child of a task has one");
  require(sums_are_right(), "the parent goes on");
}

// ---- before and after main ----------------------------------------------------------------------------------------------------

__attribute__((constructor)) static void before_main(void) { printf("before main: %d\n", sums_are_right()); }
__attribute__((destructor)) static void after_main(void) {
  printf("after main: %d\n", sums_are_right());
  fflush(stdout);
}
static void at_exit(void) { printf("at exit: %d\n", sums_are_right()); }

int main(int argc, char** argv) {
  atexit(at_exit);
  call_from_threads();
  count_by_worker();
  if (argc > 1 && strcmp(argv[1], "fork") == 0) call_from_children();
  require(teff_default_end() == TEFF_OK, "the team ends");
  call_from_threads();
  puts("main: 1");
  return 0;
}
