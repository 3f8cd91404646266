// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that the system refuses: fewer workers, and one line that says so.
#include "helpers.h"

#include <cstdlib>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

TEST(refused_threads, make_a_smaller_team_that_works) {
  for (const std::int64_t granted : {0, 1, 2, 5}) {
    on_this_side(8, {.threads_until_refusal = granted}, [granted] {
      for (const std::string& pool : pool_names()) {
        team on({.pool = pool, .workers = 8});
        EXPECT_GE(on.workers(), 1u);
        EXPECT_LE(on.workers(), static_cast<unsigned>(granted) + 1);
        tree tasks(6);
        tasks.start(on);
        on.run();
        EXPECT_EQ(tasks.first_not_run(1), 0u) << pool;
        EXPECT_EQ(on.stats().tasks_by_worker.size(), on.workers());
      }
    });
  }
}

#ifndef TEFF_SIMULATED
/// Makes three teams of which two get fewer threads; says nothing itself.
[[noreturn]] void make_teams_and_exit() {
  platform::planted_faults().threads_until_refusal = 2;
  team first({.workers = 8});
  team second({.workers = 8});
  platform::planted_faults().threads_until_refusal = -1;
  team third({.workers = 2});
  for (team* each : {&first, &second, &third}) {
    tree tasks(4);
    tasks.start(*each);
    each->run();
    if (tasks.first_not_run(1) != 0) std::_Exit(1);
  }
  const bool right = first.workers() == 3 && second.workers() == 1 && third.workers() == 2;
  std::_Exit(right ? 0 : 1);
}

TEST(refused_threads_death, are_told_in_exactly_one_line_per_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(make_teams_and_exit(), ::testing::ExitedWithCode(0),
              "^teff: the system refused a thread: this team has 3 workers instead of 8 "
              "\\(said once; workers\\(\\) tells\\)\n$");
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
