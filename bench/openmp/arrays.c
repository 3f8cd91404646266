// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions whose members have arrays of their own: 729 numbers, as uninitialised, as copies, or kept from region to region.
#include "measure.h"

enum { regions = 5000, numbers = 729 };

static double kept[numbers];
#pragma omp threadprivate(kept)

/// Effect: the last number is read and written, so that the array is there.
static void use(double* array, double expected, int* wrong) {
  __asm__ volatile("" : "+m"(*(double (*)[numbers])array));
  *wrong += array[numbers - 1] != expected;
  count_one();
}

static uint64_t checked(double start, double* seconds, int wrong, int count) {
  end_of(start, seconds, of_all((uint64_t)count), "not every member ran in every region");
  verify(wrong == 0, "a member's array had another number in it");
  return (uint64_t)count;
}

/// Unit: a region.
uint64_t measure_private(double* seconds) {
  const int count = enough(regions);
  double array[numbers];
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < count; ++i) {
#pragma omp parallel private(array) reduction(+ : wrong)
    {
      array[numbers - 1] = i;
      use(array, i, &wrong);
    }
  }
  return checked(start, seconds, wrong, count);
}

/// Unit: a region.
uint64_t measure_firstprivate(double* seconds) {
  const int count = enough(regions);
  double array[numbers] = {0};
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < count; ++i) {
    array[numbers - 1] = i;
#pragma omp parallel firstprivate(array) reduction(+ : wrong)
    use(array, i, &wrong);
  }
  return checked(start, seconds, wrong, count);
}

/// Unit: a single whose array all members get.
uint64_t measure_copyprivate(double* seconds) {
  const int count = enough(regions);
  int wrong = 0;
  const double start = start_of();
#pragma omp parallel reduction(+ : wrong)
  {
    double array[numbers] = {0};
    for (int i = 0; i < count; ++i) {
#pragma omp single copyprivate(array)
      array[numbers - 1] = i;
      use(array, i, &wrong);
    }
  }
  return checked(start, seconds, wrong, count);
}

/// Unit: a region.
uint64_t measure_threadprivate(double* seconds) {
  const int count = enough(regions);
  int wrong = 0;
  const double start = start_of();
#pragma omp parallel
  kept[numbers - 1] = 0;
  for (int i = 0; i < count; ++i) {
#pragma omp parallel reduction(+ : wrong)
    {
      use(kept, i, &wrong);
      kept[numbers - 1] = i + 1;
    }
  }
  return checked(start, seconds, wrong, count);
}

/// Unit: a region, at whose begin all members get what the first one has.
uint64_t measure_copyin(double* seconds) {
  const int count = enough(regions);
  int wrong = 0;
  const double start = start_of();
  for (int i = 0; i < count; ++i) {
    kept[numbers - 1] = i;
#pragma omp parallel copyin(kept) reduction(+ : wrong)
    use(kept, i, &wrong);
  }
  return checked(start, seconds, wrong, count);
}
