// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that starts or continues a loop over long.
typedef long number;
#define TEFF_NUMBER "ld"
#define TEFF_LOOP(name) GOMP_loop_##name
#define TEFF_UP_PARAMETER
#define TEFF_UP_ARGUMENT
#define TEFF_UP_OF(range)
#include "loop_cases.h"

static const struct range ranges[] = {
    {true, 0, 100, 1, 1},    {true, 0, 100, 1, 7},
    {true, 0, 1, 1, 1},      {true, 5, 5, 1, 1},
    {true, 7, 3, 1, 2},      {true, 0, 3, 1, 50},
    {true, -50, 49, 3, 2},   {false, 100, 0, -1, 4},
    {false, 10, -89, -7, 1}, {true, 0x7fffffff00, 0x7fffffff64, 1, 9},
};

/// Without a loop: there is nowhere to write its bounds to.
static void start_for_memory(void** memory) { GOMP_loop_start(0, 1, 1, 0x80000001, 0, NULL, NULL, NULL, memory); }

int main(void) {
  const int n = omp_get_max_threads();
  run_all(ranges, (int)(sizeof ranges / sizeof *ranges), n);
  team_memory(n, start_for_memory);
  team_memory_is_bounded(n, start_for_memory);
  return 0;
}
