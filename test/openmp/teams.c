// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teams on the host, with distribute and loops inside.
#include "check.h"

#include <omp.h>

enum { size = 200 };

static int hits[size];

static void each_team(void) {
  int ran[8] = {0}, members = 0;
#pragma omp teams num_teams(3) thread_limit(2) shared(ran, members)
  {
    check(omp_get_num_teams() == 3, "there are %d teams, not 3", omp_get_num_teams());
    add(&ran[omp_get_team_num()], 1);
#pragma omp parallel num_threads(2)
    {
      add(&members, 1);
      check(omp_get_thread_limit() <= 2, "thread_limit(2) allows %d threads", omp_get_thread_limit());
      check(omp_get_num_teams() == 3, "in a region there are %d teams, not 3", omp_get_num_teams());
    }
  }
  expect_each_once("teams", ran, 3);
  check(members >= 3 && members <= 6, "in the teams' regions %d members ran", members);
  check(omp_get_num_teams() == 1 && omp_get_team_num() == 0, "outside there is not one team");
}

static void loops(void) {
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("teams distribute parallel for", hits, size);
#pragma omp teams num_teams(3)
  {
#pragma omp distribute dist_schedule(static, 7)
    for (int i = 0; i < size; ++i) add(&hits[i], 1);
  }
  expect_each_once("distribute", hits, size);
#pragma omp teams
#pragma omp distribute parallel for schedule(dynamic, 3)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("distribute parallel for, dynamic", hits, size);
}

static void reduction(void) {
  int sum = 0;
#pragma omp teams distribute parallel for num_teams(3) reduction(+ : sum)
  for (int i = 0; i < size; ++i) sum += i;
  check(sum == size * (size - 1) / 2, "the reduction over teams is %d", sum);
}

static void settings(void) {
  omp_set_num_teams(3);
  check(omp_get_max_teams() == 3, "omp_set_num_teams(3) gives %d", omp_get_max_teams());
  omp_set_teams_thread_limit(2);
  check(omp_get_teams_thread_limit() == 2, "omp_set_teams_thread_limit(2) gives %d", omp_get_teams_thread_limit());
  int teams = 0, limit = 0;
#pragma omp teams shared(teams, limit)
  {
    if (omp_get_team_num() == 0) {
      teams = omp_get_num_teams();
#pragma omp parallel num_threads(1)
      limit = omp_get_thread_limit();
    }
  }
  check(teams >= 1 && teams <= 3, "after omp_set_num_teams(3) there are %d teams", teams);
  check(limit == 2, "after omp_set_teams_thread_limit(2) the limit is %d", limit);
}

int main(void) {
  each_team();
  loops();
  reduction();
  settings();
  return 0;
}
