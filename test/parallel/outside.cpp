// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// task_group, async, future and task_graph from threads that are no workers: their tasks are the default team's. Natively only.
#include "scene.h"

#include "runtime/keeper.h"
#include "test/support/workers.h"
#include "worker/living_teams.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

/// The default team on a pool, for a scope.
class on_pool {
 public:
  explicit on_pool(const std::string& pool) {
    default_team::end();
    setenv("TEFF_POOL", pool.c_str(), 1);
    setenv("TEFF_NUM_THREADS", "3", 1);
  }
  on_pool(const on_pool&) = delete;
  on_pool& operator=(const on_pool&) = delete;
  ~on_pool() {
    default_team::end();
    unsetenv("TEFF_POOL");
    unsetenv("TEFF_NUM_THREADS");
  }
};

class outside : public ::testing::TestWithParam<std::string> {
 private:
  const on_pool set_{GetParam()};
};

TEST_P(outside, a_group_runs_and_waits) {
  task_group group;
  platform::atomic<unsigned> runs{0};
  for (unsigned round = 1; round <= 3; ++round) {
    for (unsigned child = 0; child < 50; ++child) {
      group.put([&](context& own) {
        EXPECT_EQ(&own, detail::context_here());
        group.put([&] { runs.fetch_add(1, platform::relaxed); });  // from inside, a child of the same group
        runs.fetch_add(1, platform::relaxed);
      });
    }
    group.wait();
    EXPECT_EQ(runs.load(platform::relaxed), 100 * round);
  }
  EXPECT_EQ(default_team::stats().value("injections"), 150u);
}

TEST_P(outside, a_put_without_memory_throws_and_is_nobodys_child) {
  ASSERT_EQ(default_team::workers(), 3u);
  task_group group;
  platform::atomic<unsigned> runs{0};
  platform::atomic<bool> go{false};
  const auto child = [&] { runs.fetch_add(1, platform::relaxed); };
  for (unsigned worker = 0; worker < 3; ++worker) {
    group.put([&] {
      runs.fetch_add(1, platform::relaxed);
      while (!go.load(platform::acquire)) platform::pause();
    });
  }
  while (runs.load(platform::relaxed) < 3) std::this_thread::yield();
  unsigned put = 3;
  for (const std::int64_t granted : {0, 1, 2, 3}) {  // for the closure, or only for its place in the pool
    const testing_support::memory_runs_out planted(granted);
    bool refused = false;
    while (!refused && put < 100'000) {
      try {
        group.put(child);
        ++put;
      } catch (const std::bad_alloc&) {
        refused = true;
      }
    }
    EXPECT_TRUE(refused) << granted;
  }
  go.store(true, platform::release);
  group.wait();
  EXPECT_EQ(runs.load(platform::relaxed), put);
  group.put(child);
  group.wait();
  EXPECT_EQ(runs.load(platform::relaxed), put + 1);
}

TEST_P(outside, a_group_waits_when_its_scope_ends) {
  platform::atomic<unsigned> runs{0};
  {
    task_group group;
    for (unsigned child = 0; child < 20; ++child) group.put([&] { runs.fetch_add(1, platform::relaxed); });
  }
  EXPECT_EQ(runs.load(platform::relaxed), 20u);
}

TEST_P(outside, exceptions_come_to_who_waits) {
  task_group group;
  for (unsigned child = 0; child < 3; ++child) group.put([] { throw std::runtime_error("planted"); });
  EXPECT_THROW(group.wait(), std::runtime_error);
  EXPECT_EQ(group.exceptions(), 3u);
  EXPECT_NO_THROW(group.wait());
  auto failing = async([]() -> int { throw std::runtime_error("planted"); });
  EXPECT_THROW(failing.get(), std::runtime_error);
}

TEST_P(outside, futures_give_their_results) {
  auto number = async([] { return 42; });
  auto pointer = async([](context&) { return std::make_unique<int>(7); });
  auto nothing = async([] {});
  EXPECT_EQ(*pointer.get(), 7);
  EXPECT_EQ(number.get(), 42);
  nothing.get();
  EXPECT_FALSE(number.valid());
  {
    auto dropped = async([] {});
  }
  EXPECT_EQ(default_team::call([outer = async([] { return 5; })]() mutable { return outer.get(); }), 5) << "got inside";
}

TEST_P(outside, a_graph_runs) {
  unsigned source = 0, sum = 0;
  task_graph graph;
  auto first = graph.add([&] { source = 1; });
  graph.add([&] { sum = source + 1; }).after(first);
  graph.run();
  EXPECT_EQ(sum, 2u);
  graph.add([] { throw std::runtime_error("planted"); });
  EXPECT_THROW(graph.run(), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(catalogue, outside, ::testing::ValuesIn(pool_names()), [](const auto& each) { return each.param; });

TEST(outside_threads, use_groups_at_once_and_wait_often) {
  std::vector<std::thread> threads;
  platform::atomic<unsigned> runs{0};
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        task_group group;
        for (int child = 0; child < 3; ++child) group.put([&] { runs.fetch_add(1, platform::relaxed); });
        group.wait();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(runs.load(platform::relaxed), 4u * 300 * 3);
}

TEST(outside_threads, what_was_cancelled_before_it_began_does_not_run) {
  task_group group;
  auto token = std::make_shared<int>(0);
  group.cancel();
  group.put([token] { ADD_FAILURE(); });
  group.wait();
  EXPECT_EQ(token.use_count(), 1);
}

TEST(outside_threads, the_team_does_not_end_before_their_tasks) {
  event go;
  task_group group;
  group.put([&] { go.wait(); });
  EXPECT_NE(sentence_of([] { default_team::end(); }).find("cannot end while a call is going on"), std::string::npos);
  go.set();
  group.wait();
  EXPECT_NO_THROW(default_team::end()) << "who has waited may end the team";
}

TEST(outside_threads, a_task_of_another_team_waits_for_their_tasks) {
  event go;
  task_group group;
  group.put([&] { go.wait(); });
  team other({.workers = 1});
  other.init([&](context& here) {
    std::thread later([&] { go.set(); });
    group.wait(here);  // no deadlock: others than this team's tasks end it
    later.join();
  });
  EXPECT_NO_THROW(other.run());
}

/// What a thread goes by that waits for a group.
TEST(outside_threads, see_whether_any_team_had_a_task_since_they_looked) {
  default_team::end();
  const auto before = workers::living_teams::tasks_if_none_is_left();
  ASSERT_TRUE(before);
  {
    team other({.workers = 2});
    EXPECT_EQ(workers::living_teams::tasks_if_none_is_left(), before);
    other.init([&](context& here) {
      here.put([](context&) {});
      EXPECT_FALSE(workers::living_teams::tasks_if_none_is_left());
    });
    other.run();
    EXPECT_EQ(workers::living_teams::tasks_if_none_is_left(), *before + 2);
  }
  EXPECT_EQ(workers::living_teams::tasks_if_none_is_left(), *before + 2) << "those of a team that has ended";
}

TEST(outside_threads, see_whether_any_call_was_made_since_they_looked) {
  const auto before = runtime::keeper::visits_if_none_goes_on();
  ASSERT_TRUE(before);
  event go;
  task_group group;
  group.put([&] { go.wait(); });
  EXPECT_FALSE(runtime::keeper::visits_if_none_goes_on());
  go.set();
  group.wait();
  EXPECT_GT(runtime::keeper::visits_if_none_goes_on(), before);
}

TEST(outside_threads, without_a_thread_for_the_team_tasks_run_at_once) {
  default_team::end();
  platform::planted_faults().threads_until_refusal = 0;
  bool ran = false;
  task_group group;
  group.put([&] { ran = true; });
  EXPECT_TRUE(ran);
  group.wait();
  EXPECT_EQ(async([] { return 3; }).get(), 3);
  platform::planted_faults() = {};
  default_team::end();
}

#if !defined(TEFF_THREAD_SANITIZER)

/// Returns: the exit code of a child of fork; −1 if it was killed, as one that hangs is.
int code_of_child(const std::function<int()>& in_child) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::exit(in_child());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// A task's group knows nothing of processes: no team of the child's could run its children.
///
/// No thread begins while the process forks: of the lock that AddressSanitizer has for such threads the child's copy would stay
/// held, and none of the child's threads would begin.
TEST(outside_after_fork, the_child_of_a_call_outside_has_none_of_the_tasks_beside_it) {
  team beside({.pool = "sq1", .workers = 2});
  beside.init([](context& here) {
    event go;
    task_group group;
    group.put(here, [&] { go.wait(); });
    std::atomic<int> begun{0};
    const auto meet = [&] {
      ++begun;
      while (begun < 2) std::this_thread::yield();
    };
    for (int each = 0; each < 2; ++each) group.put(here, meet);
    blocking([&] {
      while (begun < 2) std::this_thread::yield();  // the other worker's thread, and the one that carries this worker
      EXPECT_EQ(code_of_child([&] {
                  if (sentence_of([&] { group.wait(); }).find("are in the parent process") == std::string::npos) return 1;
                  bool ran = false;
                  group.put([&] { ran = true; });
                  group.wait();
                  std::_Exit(ran ? 0 : 2);  // the test's own objects hang on the thread that did not fork
                }),
                0);
    });
    go.set();
    group.wait(here);
  });
  beside.run();
}

/// Effect: this process, a child of fork(), makes teams of its own, and uses the group: its wait says so if that was left behind.
/// Returns: 0, or what is wrong.
int code_of_use_beside_own_teams(task_group& group, bool puts_first) {
  team own({.workers = 2});
  event done;
  task_group others;
  own.init([&](context& here) {
    others.put(here, [] {});
    others.wait(here);
  });
  own.run();
  if (async([] { return 3; }).get() != 3) return 1;
  // A task of its own that goes on is no reason to wait for the parent's, once it has ended.
  others.put([&] { done.wait(); });
  const foreign_thread ends_it([&] {
    this_task::sleep_for(std::chrono::milliseconds(120));
    done.set();
  });
  bool ran = false;
  if (puts_first) group.put([&] { ran = true; });
  if (sentence_of([&] { group.wait(); }).find("are in the parent process") == std::string::npos) return 2;
  if (!done.is_set()) return 3;
  if (ran != puts_first) return 4;
  others.wait();
  group.put([&] { ran = true; });
  group.wait();
  return ran ? 0 : 5;
}

TEST(outside_after_fork, a_child_with_teams_of_its_own_has_none_of_the_parents_tasks) {
  for (const bool puts_first : {false, true}) {
    for (const bool inside : {false, true}) {
      SCOPED_TRACE(std::string(puts_first ? "puts first" : "waits") + (inside ? ", inside of a call outside" : ", a thread"));
      team beside({.workers = 2});
      event go, has_put;
      task_group group;
      const auto fork_and_use = [&] {
        EXPECT_EQ(code_of_child([&]() -> int { std::_Exit(code_of_use_beside_own_teams(group, puts_first)); }), 0);
      };
      const foreign_thread forks([&] {
        has_put.wait();
        if (!inside) fork_and_use();
        go.set();
      });
      beside.init([&](context& here) {
        group.put(here, [&] { go.wait(); });
        if (inside) blocking(fork_and_use);
        has_put.set();
        group.wait(here);
      });
      beside.run();
    }
  }
}

/// The destructor has nothing to wait for, and nobody to tell.
TEST(outside_after_fork, a_child_with_teams_of_its_own_destroys_a_group_that_was_left_behind) {
  team beside({.workers = 2});
  event go;
  beside.init([&](context& here) {
    auto* const group = new task_group;
    group->put(here, [&] { go.wait(); });
    blocking([&] {
      EXPECT_EQ(code_of_child([&]() -> int {
                  if (async([] { return 3; }).get() != 3) std::_Exit(1);
                  delete group;
                  std::_Exit(0);
                }),
                0);
    });
    go.set();
    group->wait(here);
    delete group;
  });
  beside.run();
}

/// A child's own tasks that put children are waited for, however long the look at them takes.
TEST(outside_after_fork, a_child_waits_for_what_its_own_tasks_put) {
  EXPECT_EQ(async([] { return 3; }).get(), 3);  // the parent has a team
  EXPECT_EQ(code_of_child([]() -> int {
              task_group group;
              event has_put, go;
              team own({.workers = 2});
              own.init([&](context& here) {
                group.put(here, [&] { go.wait(); });
                has_put.set();
              });
              const foreign_thread runs_it([&] { own.run(); });
              has_put.wait();
              const foreign_thread ends_it([&] {
                this_task::sleep_for(std::chrono::milliseconds(120));
                go.set();
              });
              group.wait();
              std::_Exit(go.is_set() ? 0 : 1);
            }),
            0);
}

TEST(outside_after_fork, the_child_has_none_of_the_parents_tasks) {
  event go, has_begun;
  task_group group;
  group.put([&] {
    has_begun.set();
    go.wait();
  });
  // Before it has begun a thread may be about to, which has its block: a child that was forked then has lost it, which is a leak.
  has_begun.wait();
  for (const bool waits_first : {true, false}) {
    EXPECT_EQ(code_of_child([&] {
                const auto is_told = [&] {
                  return sentence_of([&] { group.wait(); }).find("are in the parent process") != std::string::npos;
                };
                if (waits_first && !is_told()) return 1;
                bool ran = false;
                group.put([&] { ran = true; });
                group.wait();
                return ran ? 0 : 2;
              }),
              0)
        << (waits_first ? "waits first" : "puts first");
  }
  go.set();
  group.wait();
}

TEST(outside_at_the_end, a_task_that_nobody_waits_for_keeps_no_process) {
  EXPECT_EQ(code_of_child([] {
              static auto* const never = new event;
              static auto* const group = new task_group;
              group->put([] { never->wait(); });
              return 7;
            }),
            7);
}

TEST(outside_at_the_end, a_static_group_waits) {
  EXPECT_EQ(code_of_child([] {
              static platform::atomic<int> runs{0};
              static struct at_the_end {
                ~at_the_end() { _exit(runs.load(platform::relaxed)); }
              } last;
              static task_group group;
              for (int child = 0; child < 9; ++child) group.put([] { runs.fetch_add(1, platform::relaxed); });
              return 100;
            }),
            9);
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
