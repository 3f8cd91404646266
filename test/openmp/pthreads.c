// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several threads of the program open regions at the same time, each with tasks; they end, and others come.
#include "check.h"
#include "fib.h"

#include <omp.h>
#include <pthread.h>

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

int main(void) {
  n = omp_get_max_threads();
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
