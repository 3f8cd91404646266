// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions, barriers, chunks of dynamic loops and critical sections that do next to nothing.
#include "measure.h"

#include <time.h>

enum { idle_ms = 300, settle_ms = 100, regions = 10000, barriers = 10000, iterations = 2000000, entries = 200000, warm_up = 100 };

static void open_regions(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp parallel
    count_one();
  }
}

/// Unit: a region opened and closed.
uint64_t measure_region(double* seconds) {
  open_regions(warm_up);
  const double start = omp_get_wtime();
  open_regions(enough(regions));
  *seconds = omp_get_wtime() - start;
  verify(total_count() == (uint64_t)(enough(regions) + warm_up) * (uint64_t)omp_get_max_threads(),
         "not every member ran in every region");
  return (uint64_t)enough(regions);
}

/// Unit: a barrier. Before each one every member counts; past it nobody may be behind.
uint64_t measure_barrier(double* seconds) {
  const int count = enough(barriers) + warm_up;
  double start = 0;
  int behind = 0;
#pragma omp parallel reduction(+ : behind)
  {
    const int members = omp_get_num_threads(), next = (omp_get_thread_num() + 1) % members;
    for (int i = 0; i < count; ++i) {
      if (i == warm_up && omp_get_thread_num() == 0) start = omp_get_wtime();
      __atomic_store_n(&counts[omp_get_thread_num()].of, i + 1, __ATOMIC_RELAXED);
#pragma omp barrier
      behind += __atomic_load_n(&counts[next].of, __ATOMIC_RELAXED) < (uint64_t)i + 1;
    }
  }
  *seconds = omp_get_wtime() - start;
  verify(behind == 0, "a member passed a barrier before all had come");
  return (uint64_t)(count - warm_up);
}

/// Unit: an iteration, which is a chunk of its own.
uint64_t measure_chunk(double* seconds) {
  open_regions(warm_up);
  const uint64_t before = total_count();
  uint64_t sum = 0;
  const double start = omp_get_wtime();
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
  for (int i = 0; i < iterations; ++i) {
    count_one();
    sum += (uint64_t)i;
  }
  *seconds = omp_get_wtime() - start;
  verify(total_count() - before == iterations, "not every iteration ran once");
  verify(sum == (uint64_t)iterations * (iterations - 1) / 2, "an iteration ran twice");
  return iterations;
}

/// Unit: an entry into a critical section, by all members together.
uint64_t measure_critical(double* seconds) {
  uint64_t inside = 0;
  open_regions(warm_up);
  const double start = omp_get_wtime();
#pragma omp parallel
  for (int i = 0; i < entries; ++i) {
#pragma omp critical
    ++inside;
  }
  *seconds = omp_get_wtime() - start;
  const uint64_t expected = (uint64_t)entries * (uint64_t)omp_get_max_threads();
  verify(inside == expected, "two members were inside at once");
  return expected;
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pass_time(long milliseconds) {
  const struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&span, NULL);
}

/// Unit: a millisecond without regions, from 100 ms after the last one on. What is measured is processor time: 10,000 ns are 1 %.
uint64_t measure_idle(double* seconds) {
  open_regions(warm_up);
  pass_time(settle_ms);
  const double start = processor_time();
  pass_time(idle_ms);
  *seconds = processor_time() - start;
  verify(total_count() == (uint64_t)warm_up * (uint64_t)omp_get_max_threads(), "not every member ran in every region");
  return idle_ms;
}
