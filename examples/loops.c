/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops, reductions and calls in parallel from C11: no team to make, no handle to keep. */
#include "teff/teff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { size = 1000000 };

static void check(teff_status status, const char* what) {
  if (status == TEFF_OK) return;
  fprintf(stderr, "%s: %s\n", what, teff_status_text(status));
  exit(1);
}

static void fill(size_t begin, size_t end, void* data) {
  double* numbers = data;
  for (size_t i = begin; i < end; ++i) numbers[i] = sqrt((double)i);
}

static void add(size_t begin, size_t end, void* value, void* data) {
  const double* numbers = data;
  double sum = *(double*)value;
  for (size_t i = begin; i < end; ++i) sum += numbers[i];
  *(double*)value = sum;
}

static void combine(void* left, const void* right, void* data) {
  (void)data;
  *(double*)left += *(const double*)right;
}

struct call {
  unsigned n;
  unsigned long result;
};

static void fib(teff_worker* self, void* argument) {
  struct call* own = argument;
  (void)self;
  own->result = own->n;
  if (own->n < 2) return;
  struct call one_before = {own->n - 1, 0}, two_before = {own->n - 2, 0};
  check(teff_join(fib, &one_before, fib, &two_before), "join");
  own->result = one_before.result + two_before.result;
}

int main(void) {
  double* numbers = malloc(size * sizeof *numbers);
  if (numbers == NULL) return 1;
  check(teff_parallel_for(0, size, TEFF_ANY_GRAIN, fill, numbers), "for");
  double sum = 0;
  check(teff_parallel_reduce(0, size, TEFF_ANY_GRAIN, &sum, sizeof sum, add, combine, numbers), "reduce");
  struct call number = {20, 0};
  fib(NULL, &number);
  printf("sum %.3f, fib(20) %lu, %d workers\n", sum, number.result, teff_default_workers());
  free(numbers);
  return 0;
}
