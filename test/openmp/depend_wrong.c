// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A depend object that was destroyed is used.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int x = 0;
  omp_depend_t gone;
#pragma omp depobj(gone) depend(inout : x)
#pragma omp depobj(gone) destroy
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(depobj : gone) shared(x)
    x = 1;
  }
  puts("the program went on");
  return x - 1;
}
