// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of OMP_STACKSIZE=64M: each member, and a task on each of them, uses 40 MiB.
#include "check.h"
#include "with_environment.h"

#include <omp.h>

enum { bytes = 40 << 20 };

static __attribute__((noinline)) int use_stack(int member) {
  volatile char large[bytes];
  for (int i = 0; i < bytes; i += 4096) large[i] = (char)member;
  return large[bytes - 4096] == (char)member;
}

int main(int argument_count, char** arguments) {
  (void)argument_count;
  int right = 0, arrived = 0;
  with_environment(arguments, (const char* const[]){"OMP_STACKSIZE", "64M", NULL});
#pragma omp parallel num_threads(3) reduction(+ : right)
  {
    // The first thread's stack is the system's, 8 MiB.
    if (omp_get_thread_num() != 0) right += use_stack(omp_get_thread_num());
#pragma omp barrier
    if (omp_get_thread_num() != 0) {
#pragma omp task
      meet(&arrived, 2);
    }
  }
  check(right == 2, "%d of 2 members had a stack of 64 MiB", right);
  return 0;
}
