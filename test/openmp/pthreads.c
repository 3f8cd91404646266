// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several threads of the program open regions at the same time, each with tasks; they end, and others come.
#include "check.h"
#include "fib.h"

#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

enum { openers = 4, rounds = 5 };

static int inside, n;

static void* open_regions(void* number) {
  const int size = 1 + (int)(long)number % n;
  for (int i = 0; i < rounds; ++i) {
    int answer = 0, members = 0, sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
    {
      members += 1;
      if (i == 0 && omp_get_thread_num() == 0) meet(&inside, openers);  // all openers are in a region
#pragma omp single
      answer = fib(10);
#pragma omp for schedule(dynamic) reduction(+ : sum)
      for (int j = 0; j < 20; ++j) sum += j;
    }
    check(members == size && answer == 55 && sum == 190, "a region had %d members, fib(10) was %d, the sum %d", members, answer,
          sum);
    check(omp_get_num_threads() == 1 && omp_get_level() == 0, "the opener is still in a region");
  }
  return NULL;
}

static void* open_nested_regions(void* unused) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  add(&inside, 1);
  return unused;
}

static int threads_of_process(void) {
  int count = 0;
  DIR* const folder = opendir("/proc/self/task");
  check(folder != NULL, "/proc/self/task cannot be read");
  for (const struct dirent* each; (each = readdir(folder)) != NULL;) count += each->d_name[0] != '.';
  closedir(folder);
  return count;
}

/// A thread that ends ends those that it started, and these theirs: a thread that stays is waited for in vain.
static void threads_end_with_their_opener(void) {
  pthread_t opener;
  inside = 0;
  check(pthread_create(&opener, NULL, open_nested_regions, NULL) == 0, "no thread");
  pthread_join(opener, NULL);
  check(inside == 8, "%d of 8 innermost members ran", inside);
  while (threads_of_process() > 1) sched_yield();
}

int main(int argument_count, char** arguments) {
  n = omp_get_max_threads();
  if (argument_count > 1 && strcmp(arguments[1], "end") == 0) {
    threads_end_with_their_opener();
    return 0;
  }
  for (int generation = 0; generation < 3; ++generation) {
    pthread_t threads[openers];
    inside = 0;
    for (long i = 0; i < openers; ++i) check(pthread_create(&threads[i], NULL, open_regions, (void*)i) == 0, "no thread %ld", i);
    for (int i = 0; i < openers; ++i) pthread_join(threads[i], NULL);
  }
  int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  members += 1;
  check(members == n, "a region of the first thread has %d members, not %d", members, n);
  return 0;
}
