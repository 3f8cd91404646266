// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs that the drop-in refuses. Argument: which. What is refused ends the program before "the program went on".
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <string.h>

static int sum;

static void unmatched_reduction(void) {
#pragma omp taskgroup
  {
#pragma omp task in_reduction(+ : sum)
    sum += 1;
  }
}

static void openacc(void) { GOACC_wait(-1, 0); }
static void openacc_memory(void) { sum = acc_malloc(100) != NULL; }

static void nothing(void* data) { (void)data; }

static void cancel_kind(void) { sum = GOMP_cancel(3, true); }
static void cancellation_point_kind(void) { sum = GOMP_cancellation_point(16); }

static void parallel_flags(void) { GOMP_parallel(nothing, NULL, 2, 5); }
static void task_flags(void) { GOMP_task(nothing, NULL, NULL, 0, 1, true, 1 << 5, NULL, 0, NULL); }
static void taskloop_flags(void) { GOMP_taskloop(nothing, NULL, NULL, 16, 8, 1 << 15, 1, 0, 0, 10, 1); }
static void teams_flags(void) { GOMP_teams_reg(nothing, NULL, 1, 1, 1); }

static void target_flags(void) { GOMP_target_enter_exit_data(0, 0, NULL, NULL, NULL, 1 << 2, NULL); }

static void target_alignment(void) {
  void* address = &sum;
  size_t bytes = sizeof sum;
  uint16_t firstprivate = 12 | 32 << 8;
  GOMP_target_ext(0, nothing, 1, &address, &bytes, &firstprivate, 0, NULL, NULL);
}

static void doacross_numbers(void) {
  long counts[] = {1L << 40, 1L << 40}, from, to;
  GOMP_loop_doacross_start(2, counts, 0x80000002, 1, &from, &to, NULL, NULL);
}

static void loop_schedule(void) {
  long from, to;
  GOMP_loop_start(0, 10, 1, 5, 1, &from, &to, NULL, NULL);
}

static void loop_schedule_bits(void) {
  long from, to;
  GOMP_loop_ordered_start(0, 10, 1, 0x40000001, 1, &from, &to, NULL, NULL);
}

static void loop_ull_schedule(void) {
  ull from, to;
  GOMP_loop_ull_start(true, 0, 10, 1, 0x80000007, 1, &from, &to, NULL, NULL);
}

static void loop_ull_schedule_bits(void) {
  ull from, to;
  GOMP_loop_ull_ordered_start(true, 0, 10, 1, -0x7fffffffL, 1, &from, &to, NULL, NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} all[] = {
    {"unmatched_reduction", unmatched_reduction},
    {"openacc", openacc},
    {"openacc_memory", openacc_memory},
    {"cancel_kind", cancel_kind},
    {"cancellation_point_kind", cancellation_point_kind},
    {"parallel_flags", parallel_flags},
    {"task_flags", task_flags},
    {"taskloop_flags", taskloop_flags},
    {"teams_flags", teams_flags},
    {"target_flags", target_flags},
    {"target_alignment", target_alignment},
    {"doacross_numbers", doacross_numbers},
    {"loop_schedule", loop_schedule},
    {"loop_schedule_bits", loop_schedule_bits},
    {"loop_ull_schedule", loop_ull_schedule},
    {"loop_ull_schedule_bits", loop_ull_schedule_bits},
};

int main(int argument_count, char** arguments) {
  const char* const wanted = argument_count > 1 ? arguments[1] : "list";
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    if (strcmp(wanted, "list") == 0) puts(all[i].name);
    if (strcmp(wanted, all[i].name) != 0) continue;
    all[i].run();
    puts("the program went on");
    return 0;
  }
  return strcmp(wanted, "list") == 0 ? 0 : 2;
}
