// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the OpenMP benchmarks share: the clock, counters of the members, and the line that they print for a verified result.
#pragma once

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { members_at_most = 256 };

/// One per member, each on cache lines of its own: who did how much.
struct padded_count {
  _Alignas(128) uint64_t of;
};
extern struct padded_count counts[members_at_most];

static inline void count_one(void) { ++counts[omp_get_thread_num()].of; }

/// A benchmark: runs once. Returns: how many units were timed; stores the seconds. Ends the program if the result is wrong.
typedef uint64_t benchmark(double* seconds);

/// Effect: ends the program with exit code 1 and a sentence unless it holds.
void verify(int holds, const char* what);

/// Returns: when the measurement begins. Effect: the threads are there, and nothing is counted yet.
static inline double start_of(void) {
#pragma omp parallel
  count_one();  // the threads are there
  memset(counts, 0, sizeof counts);
  return omp_get_wtime();
}

/// Effect: ends the program unless so many units were counted.
static inline void verify_count(uint64_t expected) {
  uint64_t sum = 0;
  for (int i = 0; i < members_at_most; ++i) sum += counts[i].of;
  verify(sum == expected, "not every task ran once");
}

benchmark measure_region, measure_barrier, measure_chunk, measure_critical, measure_fib, measure_nqueens, measure_synthetic,
    measure_idle, measure_single, measure_ordered, measure_producer, measure_chain, measure_wavefront, measure_graph,
    measure_tiles_of_8, measure_tiles_of_64, measure_lu_of_8, measure_lu_of_64, measure_taskloop, measure_reduction;
