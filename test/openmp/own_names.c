// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program may have functions of its own that are called as the system's are: what it loads must not come to them.
#include <stdio.h>
#include <stdlib.h>

static void called(const char* name) {
  fprintf(stderr, "the program's own %s was called\n", name);
  _Exit(1);
}
#define TEFF_OWN(name) \
  void name(void) { called(#name); }
TEFF_OWN(open)
TEFF_OWN(close)
TEFF_OWN(read)
TEFF_OWN(pread)
TEFF_OWN(write)
TEFF_OWN(writev)
TEFF_OWN(lseek)
TEFF_OWN(fstat)
TEFF_OWN(stat)
TEFF_OWN(poll)
TEFF_OWN(ioctl)

static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int answer = 0;
#pragma omp parallel
#pragma omp single
  answer = fib(15);
  return answer != 610;
}
