// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of 1,024 short iterations for each member, with each schedule.
#include "measure.h"

enum { of_a_member = 1024, loops = 200 };

typedef void loop_of(int iterations, int chunk);

static void in_equal_parts(int iterations, int chunk) {
  (void)chunk;
#pragma omp for schedule(static)
  for (int i = 0; i < iterations; ++i) work_in_iteration(i);
}

static void in_turn(int iterations, int chunk) {
#pragma omp for schedule(static, chunk)
  for (int i = 0; i < iterations; ++i) work_in_iteration(i);
}

static void by_demand(int iterations, int chunk) {
#pragma omp for schedule(dynamic, chunk)
  for (int i = 0; i < iterations; ++i) work_in_iteration(i);
}

static void in_falling_parts(int iterations, int chunk) {
#pragma omp for schedule(guided, chunk)
  for (int i = 0; i < iterations; ++i) work_in_iteration(i);
}

static uint64_t measure_schedule(double* seconds, loop_of* loop, int chunk) {
  const int count = enough(loops);
  const double start = start_of();
#pragma omp parallel
  for (int round = 0; round < count; ++round) loop(of_a_member * omp_get_num_threads(), chunk);
  const uint64_t iterations = of_all(of_a_member);
  const uint64_t all = end_of(start, seconds, (uint64_t)count * iterations, "not every iteration ran once");
  verify(total_sum() == (uint64_t)count * (iterations * (iterations - 1) / 2), "an iteration ran in the place of another");
  return all;
}

/// Unit: an iteration.
uint64_t measure_static(double* seconds) { return measure_schedule(seconds, in_equal_parts, 0); }
uint64_t measure_static_1(double* seconds) { return measure_schedule(seconds, in_turn, 1); }
uint64_t measure_static_8(double* seconds) { return measure_schedule(seconds, in_turn, 8); }
uint64_t measure_static_64(double* seconds) { return measure_schedule(seconds, in_turn, 64); }
uint64_t measure_dynamic_8(double* seconds) { return measure_schedule(seconds, by_demand, 8); }
uint64_t measure_dynamic_64(double* seconds) { return measure_schedule(seconds, by_demand, 64); }
uint64_t measure_guided_1(double* seconds) { return measure_schedule(seconds, in_falling_parts, 1); }
uint64_t measure_guided_8(double* seconds) { return measure_schedule(seconds, in_falling_parts, 8); }
uint64_t measure_guided_64(double* seconds) { return measure_schedule(seconds, in_falling_parts, 64); }
