// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one team changes of its variables, the next one does not see. (A call in a function of its own, as gcc refuses it in
// place.)
#include "check.h"

#include <omp.h>

__attribute__((noinline)) static int change_threads(int more) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(before + more);
  return before;
}

static void own_variables(void) {
  const int before = omp_get_max_threads();
  int seen[2] = {0, 0};
#pragma omp teams num_teams(2)
  if (omp_get_team_num() < 2) seen[omp_get_team_num()] = change_threads(7);
  check(seen[0] == seen[1] || seen[1] == 0, "team 1 begins with %d threads, team 0 with %d", seen[1], seen[0]);
  check(omp_get_max_threads() == before, "behind the teams there are %d threads, not %d", omp_get_max_threads(), before);
}

int main(void) {
  own_variables();
  return 0;
}
