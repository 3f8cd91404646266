// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that starts or continues a loop over unsigned long long, which may go up or down.
typedef unsigned long long number;
#define TEFF_NUMBER "llu"
#define TEFF_LOOP(name) GOMP_loop_ull_##name
#define TEFF_UP_PARAMETER bool up,
#define TEFF_UP_ARGUMENT up,
#define TEFF_UP_OF(range) (range)->up,
#include "loop_cases.h"

static const struct range ranges[] = {
    {true, 0, 100, 1, 1},         {true, 0, 100, 1, 7},
    {true, 0, 1, 1, 1},           {true, 5, 5, 1, 1},
    {true, 0, 3, 1, 50},          {true, 50, 149, 3, 2},
    {false, 100, 0, -1ull, 4},    {false, 110, 11, -7ull, 1},
    {true, -101ull, -1ull, 1, 9}, {true, 1ull << 63, (1ull << 63) + 99, 2, 5},
};

static void start_for_memory(void** memory) {
  number from, to;
  GOMP_loop_ull_start(true, 0, 1, 1, 0x80000001, 0, &from, &to, NULL, memory);
}

int main(void) {
  const int n = omp_get_max_threads();
  run_all(ranges, (int)(sizeof ranges / sizeof *ranges), n);
  team_memory(n, start_for_memory);
  team_memory_is_bounded(n, start_for_memory);
  return 0;
}
