// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Forced migration: a fiber never goes on on the worker that left it. The code is right under it on every pool; a loop that
/// keeps the worker with which it took a task is found.
#include "journey.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace teff::inline TEFF_PLATFORM::testing_fiber {
namespace {

TEST(migration, is_survived_on_every_pool) {
  pool::for_each_pool([]<class Pool>(const pool::entry& each) {
    for (const unsigned workers : {1u, 2u, 8u}) {
      std::uint64_t migrations = 0;
      EXPECT_EQ(travel<Pool>(workers, migrations), "") << each.name << " on " << workers;
      if (workers == 1) {
        EXPECT_EQ(migrations, 0u);
      } else {
        EXPECT_GE(migrations, 6 * 6u) << each.name << ": each of 6 tasks steps aside 6 times and more";
      }
    }
  });
}

#ifdef TEFF_SIMULATED
struct keeps_its_worker : workers::rules {
  static constexpr bool rereads_worker = false;
};

/// Returns: whether a process ended in another way than by exit(0).
bool has_failed(int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }

// In processes of their own, since two threads of control on one worker may end anyhow. Natively they may go on for ever.
TEST(migration_death, a_loop_that_keeps_its_worker_is_found) {
  const auto exit_with = [](const std::string& problem) {
    std::fputs(problem.c_str(), stderr);
    std::_Exit(problem.empty() ? 0 : 1);
  };
  std::uint64_t migrations = 0;
  EXPECT_EXIT((exit_with(travel<pool::sq1, keeps_its_worker>(2, migrations, true))), has_failed, "");
  EXPECT_EXIT((exit_with(travel<pool::dq5, keeps_its_worker>(2, migrations, true))), has_failed, "");
  EXPECT_EXIT((exit_with(travel<pool::dq8, keeps_its_worker>(2, migrations, true))), has_failed, "");
  EXPECT_EXIT((exit_with(travel<pool::sq1>(2, migrations, true))), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM::testing_fiber
