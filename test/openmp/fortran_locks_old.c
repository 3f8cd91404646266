// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock functions of Fortran as programs linked with gcc 4.2 and 4.3 ask for them.
#define TEFF_NAME_END "_"
#include "locks_old.h"

int main(void) {
  all(omp_get_max_threads());
  return 0;
}
