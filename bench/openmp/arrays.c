// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions whose members have arrays of their own: 729 numbers, as uninitialised, as copies, or kept from region to region.
#include "measure.h"

enum { regions = 10000, numbers = 729, singles = 10000 };

static double kept[numbers];
#pragma omp threadprivate(kept)

/// Effect: the last number is read and written, so that the array is there.
static void use(double* array, double expected, int* wrong) {
  __asm__ volatile("" : "+m"(*(double (*)[numbers])array));
  *wrong += array[numbers - 1] != expected;
  count_one();
}

static uint64_t checked(double start, double* seconds, int wrong) {
  *seconds = omp_get_wtime() - start;
  verify(wrong == 0, "a member's array had another number in it");
  verify(total_count() == (uint64_t)regions * (uint64_t)omp_get_max_threads(), "not every member ran in every region");
  return regions;
}

/// Unit: a region.
uint64_t measure_private(double* seconds) {
  double array[numbers];
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < regions; ++i) {
#pragma omp parallel private(array) reduction(+ : wrong)
    {
      array[numbers - 1] = i;
      use(array, i, &wrong);
    }
  }
  return checked(start, seconds, wrong);
}

/// Unit: a region.
uint64_t measure_firstprivate(double* seconds) {
  double array[numbers] = {0};
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < regions; ++i) {
    array[numbers - 1] = i;
#pragma omp parallel firstprivate(array) reduction(+ : wrong)
    use(array, i, &wrong);
  }
  return checked(start, seconds, wrong);
}

/// Unit: a single whose array all members get.
uint64_t measure_copyprivate(double* seconds) {
  int wrong = 0;
  const double start = start_of();
#pragma omp parallel reduction(+ : wrong)
  {
    double array[numbers] = {0};
    for (int i = 0; i < singles; ++i) {
#pragma omp single copyprivate(array)
      array[numbers - 1] = i;
      use(array, i, &wrong);
    }
  }
  return checked(start, seconds, wrong);
}

/// Unit: a region.
uint64_t measure_threadprivate(double* seconds) {
  int wrong = 0;
  const double start = start_of();
#pragma omp parallel
  kept[numbers - 1] = 0;
  for (int i = 0; i < regions; ++i) {
#pragma omp parallel reduction(+ : wrong)
    {
      use(kept, i, &wrong);
      kept[numbers - 1] = i + 1;
    }
  }
  return checked(start, seconds, wrong);
}

/// Unit: a region, at whose begin all members get what the first one has.
uint64_t measure_copyin(double* seconds) {
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < regions; ++i) {
    kept[numbers - 1] = i;
#pragma omp parallel copyin(kept) reduction(+ : wrong)
    use(kept, i, &wrong);
  }
  return checked(start, seconds, wrong);
}
