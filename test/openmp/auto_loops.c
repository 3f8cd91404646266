// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// schedule(auto) over long with constant bounds: gcc calls GOMP_parallel_loop_static without a chunk, so that the flags of the
// region stand in the chunk's place and nothing in theirs: what is read there lies on the stack by chance.
#include "check.h"
#include "entry_points.h"
#include "with_environment.h"

#include <omp.h>

enum { iterations = 1000 };
static int hits[iterations], members;

/// Leaves what would be impossible flags on the stack.
__attribute__((noinline)) static void soil_stack(void) {
  volatile unsigned rubbish[400];
  for (int i = 0; i < 400; ++i) rubbish[i] = 0xdeadbeef;
}

static void as_gcc_writes_it(int n) {
  omp_set_num_threads(n);
  soil_stack();
#pragma omp parallel for schedule(auto)
  for (long i = 0; i < iterations; ++i) add(&hits[i], 1);
  expect_each_once("an automatic loop", hits, iterations);
  soil_stack();
#pragma omp parallel for schedule(auto) proc_bind(spread)
  for (long i = iterations - 1; i >= 0; --i) add(&hits[i], 1);
  expect_each_once("an automatic loop downwards", hits, iterations);
}

static void body(void* data) {
  const int bind = *(int*)data, inside = (int)omp_get_proc_bind();
  long from, to;
  int pieces = 0;
  add(&members, 1);
  check(inside == (bind != 0 ? bind : 1), "in a region with proc_bind %d omp_get_proc_bind says %d", bind, inside);
  for (; GOMP_loop_static_next(&from, &to); ++pieces)
    for (long i = from; i < to; ++i) add(&hits[i], 1);
  check(pieces <= 1, "a member has %d pieces of an automatic loop", pieces);
  GOMP_loop_end_nowait();
}

/// The eighth argument is what lies on the stack when a program passes seven.
static void with_rubbish_behind(unsigned n) {
  for (int bind = 0; bind <= 4; ++bind) {
    for (unsigned rubbish = 0; rubbish < 3; ++rubbish) {
      GOMP_parallel_loop_static(body, &bind, n, 0, iterations, 1, bind, rubbish * 0x6f5e4d3c + 5);
      check(members == (int)n, "%d members, not %u", members, n);
      expect_each_once("with seven arguments", hits, iterations);
      members = 0;
    }
  }
}

int main(int argument_count, char** arguments) {
  (void)argument_count;
  with_environment(arguments, (const char* const[]){"OMP_PROC_BIND", "true", NULL});
  const int n = omp_get_max_threads();
  as_gcc_writes_it(n);
  with_rubbish_behind((unsigned)n);
  return 0;
}
