// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Forced migration: a fiber never goes on on the worker that left it. The code is right under it on every pool; a loop that
/// keeps the worker with which it took a task is found.
#include "journey.h"

#include "teff/blocking.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <optional>
#include <thread>

namespace TEFF_NAMESPACE::testing_fiber {
namespace {

/// In simulation there is one thread. The statement says that the answer may change: the system's header says that it never does,
/// so that a compiler which sees nothing else in here may ask once for several calls.
[[gnu::noinline]] std::thread::id thread_now() {
  asm volatile("" ::: "memory");
  return std::this_thread::get_id();
}

TEST(migration, is_survived_on_every_form_of_pool) {
  for_each_form([]<class Pool>(const pool::entry& each) {
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

/// Tasks that step aside again and again, some of them pinned, and calls for which a worker changes its thread.
void travel_pinned_on(workers::team_base& on, violations& found, unsigned& moves) {
  platform::atomic<unsigned> moved{0};
  conformance::script tasks;
  conformance::step& root = tasks.add([&](worker& current) {
    task_group all;
    for (unsigned number = 0; number < 12; ++number) {
      all.put(*current.here, [&, number](context& here) {
        if (number % 3 == 0) blocking([] {});
        std::optional<pin> stays;
        if (number % 2 == 0) stays.emplace(here);
        const unsigned worker_before = here.worker_id();
        const std::thread::id thread_before = thread_now();
        for (unsigned leg = 0; leg < 4; ++leg) {
          step_aside(here);
          if (number % 4 == 0) blocking([] {});
          const bool same = here.worker_id() == worker_before && thread_now() == thread_before;
          if (stays && !same) found.add("a pinned task went on elsewhere");
          if (!same) moved.fetch_add(1, platform::relaxed);
        }
      });
    }
    all.wait(*current.here);
  });
  on.init(root.as_task());
  if (on.run() != workers::run_result::finished) found.add("the run is stuck");
  moves += moved.load(platform::relaxed);
}

template <class Pool>
std::string travel_pinned(unsigned workers, unsigned& moves) {
  violations found;
  {
    auto on = make_team<migrating<Pool>>(workers, {.found = &found});
    travel_pinned_on(on, found, moves);
  }
  return found.first();
}

TEST(migration, leaves_pinned_tasks_where_they_are) {
  unsigned moves = 0;
  for_each_form([&moves]<class Pool>(const pool::entry& each) {
    for (const unsigned workers : {1u, 2u, 8u}) {
#ifdef TEFF_SIMULATED
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::string problem;
        const sim::outcome ended =
            sim::simulate(random_schedule(workers, seed), [&] { problem = travel_pinned<Pool>(workers, moves); });
        EXPECT_TRUE(ended.ok()) << ended.report;
        EXPECT_EQ(problem, "") << each.name << " on " << workers << " (strategy=random seed=" << seed << ")";
      }
#else
      EXPECT_EQ(travel_pinned<Pool>(workers, moves), "") << each.name << " on " << workers;
#endif
    }
  });
  EXPECT_GE(moves, 100u) << "others have to be moved, or this shows nothing";
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
}  // namespace TEFF_NAMESPACE::testing_fiber
