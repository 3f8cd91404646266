// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of tasks with a known result.
#pragma once

/// Returns: the N-th Fibonacci number. A call for 2 or more puts two tasks and waits for them.
static inline int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
