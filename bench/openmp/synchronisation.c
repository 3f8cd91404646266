// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the members of a region do together, with next to nothing in between.
#include "measure.h"

enum { loops = 10000, entries = 200000, additions = 500000 };

/// Unit: a loop with its barrier, an iteration for each member.
uint64_t measure_for(double* seconds) {
  const int count = enough(loops);
  const double start = start_of();
#pragma omp parallel
  for (int round = 0; round < count; ++round) {
#pragma omp for
    for (int i = 0; i < omp_get_num_threads(); ++i) work_a_little();
  }
  end_of(start, seconds, of_all((uint64_t)count), "not every iteration ran once");
  return (uint64_t)count;
}

/// Unit: a region that is a loop, an iteration for each member.
uint64_t measure_parallel_for(double* seconds) {
  const int count = enough(loops);
  const double start = start_of();
  for (int round = 0; round < count; ++round) {
#pragma omp parallel for
    for (int i = 0; i < omp_get_num_threads(); ++i) work_a_little();
  }
  end_of(start, seconds, of_all((uint64_t)count), "not every iteration ran once");
  return (uint64_t)count;
}

/// Unit: a single with its barrier.
uint64_t measure_single_wait(double* seconds) {
  const int count = enough(loops);
  const double start = start_of();
#pragma omp parallel
  for (int round = 0; round < count; ++round) {
#pragma omp single
    work_a_little();
  }
  return end_of(start, seconds, (uint64_t)count, "not every single ran once");
}

/// Unit: a lock that is taken and let go, by all members together.
uint64_t measure_lock(double* seconds) {
  uint64_t inside = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < entries; ++i) {
    omp_set_lock(&lock);
    ++inside;
    omp_unset_lock(&lock);
  }
  *seconds = omp_get_wtime() - start;
  omp_destroy_lock(&lock);
  const uint64_t expected = of_all(entries);
  verify(inside == expected, "two members held a lock at once");
  return expected;
}

/// Unit: an atomic addition of a number with a fraction, by all members together.
uint64_t measure_atomic(double* seconds) {
  double sum = 0;
  const double start = start_of();
#pragma omp parallel
  for (int i = 0; i < additions; ++i) {
#pragma omp atomic
    sum += 1.0;
  }
  *seconds = omp_get_wtime() - start;
  const uint64_t expected = of_all(additions);
  verify(sum == (double)expected, "an atomic addition was lost");
  return expected;
}

/// Unit: a region with a sum.
uint64_t measure_sum(double* seconds) {
  const int count = enough(loops);
  uint64_t sum = 0;
  const double start = start_of();
  for (int round = 0; round < count; ++round) {
#pragma omp parallel reduction(+ : sum)
    {
      work_a_little();
      sum += 1;
    }
  }
  *seconds = omp_get_wtime() - start;
  verify(sum == of_all((uint64_t)count), "a region's sum");
  return (uint64_t)count;
}
