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
  uint64_t sum;  ///< of the iterations' numbers, where a loop adds them up
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

/// Returns: how often to do what takes well under a microsecond, if `tenth` is a tenth of that: so many times where members outnumber
/// processors, and it takes many microseconds.
static inline int enough(int tenth) { return omp_get_max_threads() > omp_get_num_procs() ? tenth : 10 * tenth; }

static inline uint64_t total_count(void) {
  uint64_t sum = 0;
  for (int i = 0; i < members_at_most; ++i) sum += counts[i].of;
  return sum;
}

/// Effect: ends the program unless so many units were counted.
static inline void verify_count(uint64_t expected) { verify(total_count() == expected, "not every task ran once"); }

/// So many for each member.
static inline uint64_t of_all(uint64_t count) { return count * (uint64_t)omp_get_max_threads(); }

/// Effect: the measurement ends. Ends the program with that sentence unless so many units were counted. Returns: how many.
static inline uint64_t end_of(double start, double* seconds, uint64_t expected, const char* what) {
  *seconds = omp_get_wtime() - start;
  verify(total_count() == expected, what);
  return expected;
}

static inline uint64_t total_sum(void) {
  uint64_t sum = 0;
  for (int i = 0; i < members_at_most; ++i) sum += counts[i].sum;
  return sum;
}

/// Effect: counts, beside forty multiplications of which each needs the one before. No call needs another's result, so that successive
/// calls overlap: 10 to 15 ns a call.
static inline void work_a_little(void) {
  uint64_t x = 1;
  for (int i = 0; i < 40; ++i) {
    x *= 0x9E3779B97F4A7C15u;
    __asm__ volatile("" : "+r"(x));
  }
  count_one();
}

/// Effect: as work_a_little; the iteration's number counts, too.
static inline void work_in_iteration(int number) {
  work_a_little();
  counts[omp_get_thread_num()].sum += (uint64_t)number;
}

benchmark measure_region, measure_barrier, measure_chunk, measure_critical, measure_fib, measure_nqueens, measure_synthetic,
    measure_idle, measure_single, measure_ordered, measure_producer, measure_chain, measure_wavefront, measure_graph,
    measure_tiles_of_8, measure_tiles_of_64, measure_lu_of_8, measure_lu_of_64, measure_taskloop, measure_reduction;
benchmark measure_for, measure_parallel_for, measure_single_wait, measure_lock, measure_atomic, measure_sum;
benchmark measure_static, measure_static_1, measure_static_8, measure_static_64, measure_dynamic_8, measure_dynamic_64,
    measure_guided_1, measure_guided_8, measure_guided_64;
benchmark measure_private, measure_firstprivate, measure_copyprivate, measure_threadprivate, measure_copyin;
benchmark measure_parallel_task, measure_master_task, measure_busy, measure_conditional, measure_taskwait, measure_task_barrier,
    measure_taskyield, measure_nested_task, measure_nested_master, measure_branch_tree, measure_leaf_tree, measure_behind_brief;
