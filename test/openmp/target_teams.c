// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams inside target regions, with distribute and loops inside. A team may ask nothing itself: a function of it does. Argument:
// variables, for those of OpenMP, of which gcc's library gives one team what the one before has changed.
#include "check.h"

#include <omp.h>
#include <string.h>

enum { size = 200 };

static int hits[size];

__attribute__((noinline)) static int limit(void) { return omp_get_thread_limit(); }

__attribute__((noinline)) static int change_threads(int more) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(before + more);
  return before;
}

static void each_team(void) {
  int ran[8] = {0}, teams = 0, members = 0, most = 0;
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : ran, members) map(from : teams, most)
  {
    teams = omp_get_num_teams();
    ran[omp_get_team_num()] += 1;
    most = limit();
#pragma omp parallel num_threads(4)
    add(&members, omp_get_num_teams() == 3 ? 1 : 1000);
  }
  check(teams == 3, "there are %d teams, not 3", teams);
  expect_each_once("teams", ran, 3);
  check(most == 2, "thread_limit(2) is %d", most);
  check(members >= 3 && members <= 6, "in the teams' regions %d members ran", members);
  check(omp_get_num_teams() == 1 && omp_get_team_num() == 0, "outside there is not one team");
}

static void variables(void) {
  int seen[3] = {0}, limits[3] = {0};
#pragma omp target teams num_teams(3) thread_limit(9) map(tofrom : seen, limits)
  {
    seen[omp_get_team_num()] = change_threads(5);
    limits[omp_get_team_num()] = limit();
  }
  check(seen[0] == seen[1] && seen[1] == seen[2], "the teams begin with %d, %d, %d threads", seen[0], seen[1], seen[2]);
  check(limits[0] == 9 && limits[2] == 9, "the teams have the limits %d and %d", limits[0], limits[2]);
}

static void between(int least, int most) {
  int teams = 0, limit_inside = 0;
#pragma omp target teams num_teams(least : most) thread_limit(most) map(from : teams, limit_inside)
  {
    teams = omp_get_num_teams();
    limit_inside = limit();
  }
  check(teams >= least && teams <= most, "there are %d teams, not %d to %d", teams, least, most);
  check(limit_inside == most, "thread_limit(%d) is %d", most, limit_inside);
#pragma omp target teams map(from : teams)
  teams = omp_get_num_teams();
  check(teams >= 1, "there are %d teams", teams);
}

static void loops(void) {
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : hits)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("target teams distribute parallel for", hits, size);
#pragma omp target teams distribute num_teams(3) dist_schedule(static, 7) map(tofrom : hits)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("target teams distribute", hits, size);
#pragma omp target teams num_teams(3) map(tofrom : hits)
#pragma omp distribute parallel for schedule(dynamic, 3)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("distribute parallel for, dynamic", hits, size);
#pragma omp target teams loop map(tofrom : hits)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("target teams loop", hits, size);
#pragma omp target teams distribute simd map(tofrom : hits)
  for (int i = 0; i < size; ++i) hits[i] += 1;
  expect_each_once("target teams distribute simd", hits, size);
}

static void reduction(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for num_teams(3) reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < size; ++i) sum += i;
  check(sum == size * (size - 1) / 2, "the reduction over teams is %d", sum);
}

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "variables") == 0) variables();
  each_team();
  between(2, 5);
  loops();
  reduction();
  return 0;
}
