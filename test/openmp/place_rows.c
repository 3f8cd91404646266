// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of places goes by its stride, down, too.
#include "check.h"
#include "with_environment.h"

#include <omp.h>

int main(int count, char** words) {
  (void)count;
  with_environment(words, (const char* const[]){"OMP_PLACES", "{1}:2:-1", "OMP_PROC_BIND", "close", NULL});
  if (omp_get_num_procs() < 2) return 0;
  check(omp_get_num_places() == 2, "{1}:2:-1 are %d places", omp_get_num_places());
  for (int place = 0; place < 2; ++place) {
    int ids[2] = {-7, -7};
    check(omp_get_place_num_procs(place) == 1, "place %d of {1}:2:-1 has %d processors", place, omp_get_place_num_procs(place));
    omp_get_place_proc_ids(place, ids);
    check(ids[0] == 1 - place, "place %d of {1}:2:-1 has processor %d", place, ids[0]);
  }
  return 0;
}
