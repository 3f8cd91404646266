// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Processes with a team that call fork(): the child makes its own, the parent goes on.
#include "helpers.h"

#include "platform/stack_supply.h"

#include <cstdlib>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

/// A child that hangs is killed after so many seconds, and the test fails.
constexpr unsigned seconds_to_live = 120;

/// Returns: the child's exit code; -1 if it was killed. `leave` ends the child with a code.
int code_of_child(const std::function<int()>& in_child, void (*leave)(int) = _exit) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds_to_live);
    leave(in_child());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// Returns: whether this team runs a tree of tasks.
bool works(team& on) {
  tree tasks(7);
  tasks.start(on);
  on.run();
  return tasks.first_not_run(1) == 0;
}

class fork_of : public ::testing::TestWithParam<std::string> {
 protected:
  team_options options() const { return {.pool = GetParam(), .workers = 4}; }
};

TEST_P(fork_of, a_team_that_never_ran) {
  team on(options());
  EXPECT_EQ(code_of_child([&] { return works(on) && on.workers() == 4 ? 0 : 1; }), 0);
  EXPECT_TRUE(works(on));
}

TEST_P(fork_of, a_team_after_a_run) {
  team on(options());
  EXPECT_TRUE(works(on));
  EXPECT_EQ(code_of_child([&] { return works(on) && works(on) ? 0 : 1; }), 0);
  EXPECT_TRUE(works(on));
}

TEST_P(fork_of, a_team_with_initial_tasks_leaves_them_to_the_parent) {
  census all;
  {
    team on(options());
    for (int i = 0; i < 10; ++i) on.init([held = all.make()](context&) { held.ran(); });
    EXPECT_EQ(code_of_child([&] { return works(on) && all.runs() == 0 ? 0 : 1; }), 0);
    on.run();
  }
  EXPECT_EQ(all.runs(), 10);
  EXPECT_EQ(all.alive(), 0);
}

TEST_P(fork_of, a_team_that_the_child_destroys_only) {
  auto on = std::make_unique<team>(options());
  EXPECT_TRUE(works(*on));
  const auto destroy = [&] {
    on.reset();
    return 0;
  };
  EXPECT_EQ(code_of_child(destroy), 0);
  EXPECT_EQ(code_of_child(destroy, std::exit), 0);
  EXPECT_TRUE(works(*on));
}

TEST_P(fork_of, a_team_that_the_child_never_uses) {
  static std::vector<std::unique_ptr<team>> until_exit;  // destroyed by exit, in the child too
  until_exit.push_back(std::make_unique<team>(options()));
  EXPECT_TRUE(works(*until_exit.back()));
  EXPECT_EQ(code_of_child([] { return 0; }, std::exit), 0);
  EXPECT_TRUE(works(*until_exit.back()));
}

TEST_P(fork_of, a_team_that_the_child_remakes_and_destroys) {
  auto on = std::make_unique<team>(options());
  EXPECT_TRUE(works(*on));
  const auto remake = [&] {
    const bool right = works(*on);
    on.reset();
    return right ? 0 : 1;
  };
  EXPECT_EQ(code_of_child(remake, std::exit), 0);
  EXPECT_TRUE(works(*on));
}

TEST_P(fork_of, grandchildren_remake_it_too) {
  team on(options());
  EXPECT_TRUE(works(on));
  EXPECT_EQ(code_of_child([&] {
              if (!works(on)) return 1;
              return code_of_child([&] { return works(on) ? 0 : 2; });
            }),
            0);
  EXPECT_TRUE(works(on));
}

TEST_P(fork_of, a_team_that_another_thread_runs) {
  team on(options());
  auto source = std::make_unique<injector>(on);
  platform::atomic<std::uint32_t> running{0};
  on.init([&](context&) {
    running.store(1, platform::release);
    platform::wake_all(running);
  });
  {
    foreign_thread runs_it([&] { on.run(); });
    while (running.load(platform::acquire) == 0) platform::park(running, 0, "the run to begin");
    EXPECT_EQ(code_of_child([&] { return works(on) ? 0 : 1; }), 0);
    source.reset();
  }
  EXPECT_TRUE(works(on));
}

TEST_P(fork_of, a_task) {
  team on(options());
  int code = -1;
  on.init([&](context&) { code = code_of_child([&] { return works(on) ? 0 : 1; }); });
  on.run();
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(works(on));
}

TEST_P(fork_of, an_injector_that_the_child_destroys) {
  team on(options());
  auto source = std::make_unique<injector>(on);
  EXPECT_EQ(code_of_child([&] {
              source.reset();
              return works(on) ? 0 : 1;
            }),
            0);
  source.reset();
  EXPECT_TRUE(works(on));
}

/// A child of _Fork(), which calls no handlers, that puts where another thread of its parent held the lock: it is told, and
/// does not hang.
TEST(fork_beside, tasks_that_put) {
  constexpr int none_was_held = 3, was_told = 70;
  team on({.pool = "sq1", .workers = 3});
  platform::atomic<bool> enough{false};
  const auto put_some = [](context& here) {
    for (int i = 0; i < 50; ++i) here.put([](context&) {});
  };
  std::function<void(context&)> go_on = [&](context& here) {
    put_some(here);
    if (!enough.load(platform::relaxed)) here.put([&](context& next) { go_on(next); });
  };
  unsigned children_that_were_told = 0, children_that_ended = 0;
  constexpr unsigned children = 40, most_children = 4000;
  for (int i = 0; i < 3; ++i) on.init([&](context& here) { go_on(here); });
  on.init([&](context& here) {
    // Until somebody held the lock, once at least.
    while (children_that_ended < children || (children_that_were_told == 0 && children_that_ended < most_children)) {
      const pid_t child = _Fork();
      if (child == 0) {
        alarm(seconds_to_live);
        put_some(here);
        _exit(none_was_held);
      }
      int status = -1;
      if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) break;
      if (WEXITSTATUS(status) != was_told && WEXITSTATUS(status) != none_was_held) break;
      ++children_that_ended;
      if (WEXITSTATUS(status) == was_told) ++children_that_were_told;
    }
    enough.store(true, platform::relaxed);
  });
  on.run();
  EXPECT_GE(children_that_ended, children);
  EXPECT_GE(children_that_were_told, 1u) << "of " << children_that_ended;
}

/// Two threads of a task's child are in the way of each other when they make the first use of its default team, which takes a
/// while: neither is one that waits for a thread of the parent.
TEST(fork_beside, threads_of_the_child_that_put_first) {
  setenv("TEFF_NUM_THREADS", "64", 1);
  team on({.workers = 2});
  unsigned children_that_could = 0;
  constexpr unsigned children = 20;
  on.init([&](context&) {
    const auto put_beside_another = [] {
      platform::atomic<unsigned> begun{0}, runs{0};
      const auto put_and_wait = [&] {
        task_group group;
        begun.fetch_add(1, platform::acq_rel);
        platform::spin_until(begun, [](unsigned all) { return all == 2; }, "both threads");
        group.put([&] { runs.fetch_add(1, platform::relaxed); });
        group.wait();
      };
      {
        const foreign_thread other(put_and_wait);
        put_and_wait();
      }
      return runs.load(platform::relaxed) == 2 && default_team::workers() == 64 ? 0 : 1;
    };
    while (children_that_could < children && code_of_child(put_beside_another) == 0) ++children_that_could;
  });
  on.run();
  unsetenv("TEFF_NUM_THREADS");
  EXPECT_EQ(children_that_could, children);
}

/// The first time as a thread of the parent had.
void acquire_twice(platform::lock& held) TEFF_NOT_ANALYSED {
  held.acquire();
  held.acquire();
}

/// The same at a lock of the runtime, without any team; and alone, where nobody will release it.
TEST(fork_beside, threads_of_the_child_at_a_lock) {
  for (const auto kind : {platform::lock_kind::mutex, platform::lock_kind::spin, platform::lock_kind::brief}) {
    team on({.workers = 2});
    int beside_another = -1, alone = -1;
    on.init([&](context&) {
      beside_another = code_of_child([kind] {
        platform::lock held(kind);
        platform::atomic<bool> has_it{false};
        const foreign_thread other([&] {
          const platform::lock_guard guard(held);
          has_it.store(true, platform::release);
          for (unsigned turn = 0; turn < 1'000'000; ++turn) platform::pause();  // longer than anybody spins before the look
        });
        platform::spin_until(has_it, [](bool now) { return now; }, "the other thread");
        const platform::lock_guard guard(held);
        return 0;
      });
      alone = code_of_child([kind] {
        platform::lock held(kind);
        acquire_twice(held);
        return 0;
      });
    });
    on.run();
    EXPECT_EQ(beside_another, 0);
    EXPECT_EQ(alone, 70);
  }
}

/// What the child destroys belongs to a team whose locks others may hold at the fork.
TEST(fork_beside, threads_that_put_by_injectors) {
  team on({.workers = 2});
  auto source = std::make_unique<injector>(on);
  platform::atomic<bool> enough{false};
  {
    const foreign_thread runs_it([&] { on.run(); });
    const foreign_thread puts([&] {
      injector another(on);
      while (!enough.load(platform::relaxed)) another.put([](context&) {});
    });
    int code = 0;
    for (unsigned child = 0; child < 50 && code == 0; ++child) {
      code = code_of_child([&] {
        source.reset();
        return 0;
      });
    }
    EXPECT_EQ(code, 0);
    enough.store(true, platform::relaxed);
    source.reset();
  }
}

TEST(fork_beside, threads_that_take_stacks) {
  platform::atomic<bool> enough{false};
  foreign_thread takes_stacks([&] {
    while (!enough.load(platform::relaxed)) platform::stack_supply::give_back(platform::stack_supply::take(64 * 1024));
  });
  const auto take_one = [] {
    const platform::stack_piece taken = platform::stack_supply::take(64 * 1024);
    if (!taken) return 1;
    platform::stack_supply::give_back(taken);
    return 0;
  };
  unsigned children_that_could = 0;
  constexpr unsigned children = 200;
  while (children_that_could < children && code_of_child(take_one) == 0) ++children_that_could;
  enough.store(true, platform::relaxed);
  EXPECT_EQ(children_that_could, children);
}

INSTANTIATE_TEST_SUITE_P(catalogue, fork_of, ::testing::Values("sq1", "dq1", "dq8", "sdq1"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
