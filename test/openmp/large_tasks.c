// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with large arguments: those that wait are bounded in bytes, too.
#include "check.h"
#include "memory.h"

#include <omp.h>

enum { count = 3000, megabyte = 1 << 20 };
struct large {
  char bytes[200000];
};

int main(void) {
  static struct large argument;
  const int n = omp_get_max_threads();
  long sum = 0;
  argument.bytes[99] = 1;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp task
    argument.bytes[98] = 2;
  }
  const long before = memory_bytes(1);
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < count; ++i) {
    struct large copy = argument;
#pragma omp task firstprivate(copy) shared(sum)
    {
      const long grown = memory_bytes(1) - before;
      check(grown < (40 + 8L * n) * megabyte, "%ld MB for tasks of 200 kB", grown / megabyte);
#pragma omp atomic
      sum += copy.bytes[99];
    }
  }
  check(sum == count, "%ld tasks ran, not %d", sum, count);
  return 0;
}
