// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions in regions: levels, ancestors, sizes; serialised beyond max-active-levels; 20 deep.
#include "check.h"

#include <omp.h>

static int deepest;

static void two_levels(int outer, int inner) {
  int ran = 0, arrived = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
  {
    const int above = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
    {
      meet(&arrived, outer * inner);  // all of them exist at the same time
      add(&ran, 1);
      check(omp_get_level() == 2, "the level is %d, not 2", omp_get_level());
      check(omp_get_active_level() == (outer > 1) + (inner > 1), "the active level is %d", omp_get_active_level());
      check(omp_get_num_threads() == inner && omp_get_team_size(2) == inner, "an inner team has %d members",
            omp_get_num_threads());
      check(omp_get_team_size(1) == outer && omp_get_team_size(0) == 1, "a team above has a wrong size");
      check(omp_get_ancestor_thread_num(1) == above && omp_get_ancestor_thread_num(0) == 0, "an ancestor is wrong");
      check(omp_get_ancestor_thread_num(2) == omp_get_thread_num(), "the ancestor at the own level is not the member itself");
      check(omp_get_ancestor_thread_num(3) == -1 && omp_get_team_size(-1) == -1, "levels that are not there have ancestors");
    }
    check(omp_get_thread_num() == above && omp_get_level() == 1, "after an inner region the outer one is not as before");
  }
  check(ran == outer * inner, "%d members of inner teams ran, not %d", ran, outer * inner);
}

static void beyond_the_limit(void) {
  int sizes = 0, regions = 0;
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3) reduction(+ : sizes, regions)
  {
#pragma omp parallel num_threads(4) reduction(+ : sizes, regions)
    {
      sizes += omp_get_num_threads();
      regions += 1;
    }
  }
  check(sizes == 3 && regions == 3, "beyond max-active-levels inner regions have %d members in sum, not 3", sizes);
}

static void deeper(int level) {
  check(omp_get_level() == level, "the level is %d, not %d", omp_get_level(), level);
  if (level == 20) {
    add(&deepest, 1);
    return;
  }
#pragma omp parallel num_threads(level < 3 ? 2 : 1 + level % 2 * (level > 17))
  {
    deeper(level + 1);
#pragma omp barrier
  }
}

static void worksharing_inside(void) {
  int sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 6; ++i) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 3)
    for (int j = 0; j < 10; ++j) add(&sum, 1);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
      add(&sum, 1);
    }
  }
  check(sum == 66, "%d pieces of work inside ran, not 66", sum);
}

/// A task opens a region of its own.
static void region_in_a_task(int n) {
  int sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task
    {
#pragma omp parallel num_threads(2)
      add(&sum, 1);
    }
  }
  check(sum == 8, "regions in tasks had %d members, not 8", sum);
}

int main(void) {
  const int n = omp_get_max_threads();
  two_levels(2, 3);
  two_levels(1, 2);
  two_levels(2, 1);
  two_levels(n, 2);
  beyond_the_limit();
  omp_set_max_active_levels(30);
#pragma omp parallel num_threads(2)
  deeper(1);
  check(deepest >= 8, "regions nested 20 deep reached the bottom %d times", deepest);
  worksharing_inside();
  region_in_a_task(n);
  return 0;
}
