// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The default team as programs use it: from any thread, task and process. Natively only.
#include "scene.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <latch>
#include <sched.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

unsigned sum_below(unsigned size) {
  return parallel_reduce(0u, size, 0u, [](unsigned i) { return i; }, std::plus<>());
}

/// Returns: whether the default team does its work.
bool works() { return sum_below(1'000) == 499'500u; }

#if !defined(TEFF_THREAD_SANITIZER)  // it does not follow a child of fork() that starts threads
/// A child that hangs is killed after so many seconds, and the test fails.
constexpr unsigned seconds_to_live = 120;

/// Returns: the exit code of a child of fork; -1 if it was killed.
int code_of_child(const std::function<int()>& in_child, void (*leave)(int) = std::exit) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds_to_live);
    leave(in_child());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
#endif

/// The variables last for a scope; the default team is made by them.
class with_variables {
 public:
  with_variables(std::initializer_list<std::pair<const char*, const char*>> given) : given_(given) {
    default_team::end();
    for (const auto& [name, value] : given_) setenv(name, value, 1);
  }
  with_variables(const with_variables&) = delete;
  with_variables& operator=(const with_variables&) = delete;
  ~with_variables() {
    default_team::end();
    for (const auto& [name, value] : given_) unsetenv(name);
  }

 private:
  const std::vector<std::pair<const char*, const char*>> given_;
};

TEST(default_team, serves_foreign_threads_several_at_once) {
  std::vector<std::thread> threads;
  platform::atomic<int> right{0};
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        join([&] { right.fetch_add(works(), platform::relaxed); }, [&] { right.fetch_add(works(), platform::relaxed); });
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(right.load(platform::relaxed), 6 * 20 * 2);
}

TEST(default_team, works_on_every_pool) {
  for (const std::string& pool : pool_names()) {
    const with_variables set{{"TEFF_POOL", pool.c_str()}, {"TEFF_NUM_THREADS", "3"}};
    EXPECT_TRUE(works()) << pool;
    EXPECT_EQ(default_team::workers(), 3u);
  }
}

TEST(default_team, works_in_every_wait_mode) {
  for (const char* mode : {"latency", "balanced", "power"}) {
    const with_variables set{{"TEFF_WAIT", mode}, {"TEFF_NUM_THREADS", "2"}};
    EXPECT_TRUE(works()) << mode;
  }
}

TEST(default_team, is_entered_once_by_nested_calls) {
  default_team::end();
  default_team::call([](context& here) {
    EXPECT_EQ(default_team::call([](context& own) { return &own; }), &here);
    parallel_for(0, 10, [](int) { EXPECT_TRUE(works()); });
  });
  EXPECT_EQ(default_team::stats().value("injections"), 1u);
}

TEST(default_team, is_not_the_team_of_other_teams_tasks) {
  default_team::end();
  team other({.workers = 2});
  other.init([](context&) {
    EXPECT_TRUE(works());
    EXPECT_TRUE(default_team::stats().counters.empty());
    EXPECT_TRUE(default_team::call([] { return works(); }));
    EXPECT_FALSE(default_team::stats().counters.empty());
  });
  other.run();
}

TEST(default_team, hands_exceptions_and_results_out) {
  EXPECT_THROW(parallel_for(0, 100,
                            [](int i) {
                              if (i == 50) throw std::runtime_error("planted");
                            }),
               std::runtime_error);
  EXPECT_THROW(default_team::call([] { throw 1; }), int);
  EXPECT_EQ(*default_team::call([] { return std::make_unique<int>(4); }), 4);
  EXPECT_TRUE(works());
}

TEST(default_team, ends_and_is_made_anew) {
  EXPECT_TRUE(works());
  default_team::end();
  default_team::end();
  EXPECT_TRUE(default_team::stats().counters.empty());
  EXPECT_TRUE(works());
  const std::string refusal = sentence_of([] { default_team::call([] { default_team::end(); }); });
  EXPECT_NE(refusal.find("cannot end while a call is going on"), std::string::npos) << refusal;
}

TEST(default_team, does_with_fewer_threads_than_it_wants) {
  const with_variables set{{"TEFF_NUM_THREADS", "4"}};
  for (const std::int64_t granted : {0, 1, 3}) {
    default_team::end();
    platform::planted_faults().threads_until_refusal = granted;
    EXPECT_TRUE(works());
    platform::planted_faults() = {};
    EXPECT_EQ(default_team::workers(), granted + 1);
    EXPECT_TRUE(works());
  }
}

/// Returns: the system's numbers of all threads of this process but the calling one.
std::vector<pid_t> other_threads() {
  std::vector<pid_t> found;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    found.push_back(std::stoi(each.path().filename()));
  }
  std::erase(found, gettid());
  return found;
}

TEST(default_team, leaves_the_affinity_to_those_who_set_it) {
  // Its workers park whenever they find nothing: each call wakes them.
  const std::string workers = std::to_string(platform::machine().usable_processors);
  const with_variables given{{"TEFF_NUM_THREADS", workers.c_str()}, {"TEFF_WAIT", "power"}};
  EXPECT_TRUE(works());  // the threads are there
  platform::atomic<int> calls{0};
  platform::atomic<bool> enough{false};
  std::thread caller([&] {
    for (; !enough.load(platform::relaxed); calls.fetch_add(1, platform::relaxed)) EXPECT_TRUE(works());
  });
  const std::vector<pid_t> threads = other_threads();
  EXPECT_GT(threads.size(), platform::machine().usable_processors) << "the workers and the caller";
  const auto& places = platform::machine().places;
  for (unsigned round = 0; round < 150; ++round) {
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    CPU_SET(places[round % places.size()].system_index, &wanted);
    for (const pid_t each : threads) EXPECT_EQ(sched_setaffinity(each, sizeof wanted, &wanted), 0);
    for (const int before = calls.load(platform::relaxed); calls.load(platform::relaxed) < before + 3;) std::this_thread::yield();
    for (const pid_t each : threads) {
      cpu_set_t now;
      EXPECT_EQ(sched_getaffinity(each, sizeof now, &now), 0);
      EXPECT_TRUE(CPU_EQUAL(&now, &wanted)) << "thread " << each << ", round " << round;
    }
  }
  enough.store(true, platform::relaxed);
  caller.join();
}

TEST(default_team, says_what_it_is_and_what_it_counted) {
  const with_variables set{
      {"TEFF_DISPLAY", "1"}, {"TEFF_STATS", "1"}, {"TEFF_POOL", "dq5"}, {"TEFF_SEED", "x"}, {"TEFF_NUM_THREADS", "2"}};
  testing::internal::CaptureStderr();
  EXPECT_TRUE(works());
  default_team::end();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("teff: the variable TEFF_SEED cannot be 'x'; allowed: 0 … 18446744073709551615; it is ignored\n"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("teff: pool dq5, memory clf, 2 workers"), std::string::npos) << said;
  EXPECT_NE(said.find("teff: the default team, 2 workers: tasks_run "), std::string::npos) << said;
}

TEST(default_team, tells_of_an_exception_that_nobody_catches) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(works());
  for (int round = 0; round < 2; ++round)
    default_team::call([](context& here) { here.put([](context&) { throw std::runtime_error("no such file"); }); });
  default_team::end();
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "teff: an exception of a task for which nobody waits: no such file; later ones are not told (groups, futures and calls "
      "hand on what their tasks throw)\n");
}

TEST(default_team_death, says_once_that_it_has_fewer_threads_than_it_wants) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto be_refused = [] {
    const with_variables set{{"TEFF_NUM_THREADS", "4"}};
    platform::planted_faults().threads_until_refusal = 2;
    const bool right = works() && default_team::workers() == 3;
    default_team::end();
    std::_Exit(right && works() ? 0 : 1);
  };
  EXPECT_EXIT(be_refused(), ::testing::ExitedWithCode(0),
              "^teff: the system refused a thread: this team has 3 workers instead of 4 "
              "\\(said once; workers\\(\\) tells\\)\n$");
}

TEST(default_team_death, says_once_what_no_team_can_use) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto misspell = [] {
    const with_variables set{{"TEFF_WATCHDOG", "soon"}, {"TEFF_DISPLAY", "yes"}, {"TEFF_NUM_THREAD", "2"}};
    team first({.workers = 1}), second({.workers = 1});
    std::_Exit(works() ? 0 : 1);
  };
  EXPECT_EXIT(
      misspell(), ::testing::ExitedWithCode(0),
      "^teff: the variable TEFF_WATCHDOG cannot be 'soon'; allowed: seconds from 0.001 to 1000000, as 5 or 0.5; it is ignored\n"
      "teff: the variable TEFF_DISPLAY cannot be 'yes'; allowed: 0, 1; it is ignored\n"
      "teff: unknown environment variable 'TEFF_NUM_THREAD'; did you mean 'TEFF_NUM_THREADS'\\?.*\n$");
}

// --- fork
// ------------------------------------------------------------------------------------------------------------------------

#if !defined(TEFF_THREAD_SANITIZER)

TEST(default_team_after_fork, is_the_childs_own) {
  EXPECT_TRUE(works());
  EXPECT_EQ(code_of_child([] { return works() ? 0 : 1; }), 0);
  EXPECT_EQ(code_of_child([] { return works() ? 0 : 1; }, _exit), 0);
  EXPECT_TRUE(works());
}

TEST(default_team_after_fork, of_a_child_that_never_uses_it) {
  EXPECT_TRUE(works());
  EXPECT_EQ(code_of_child([] { return 0; }), 0);
  default_team::end();
  EXPECT_EQ(code_of_child([] { return works() ? 0 : 1; }), 0);
}

TEST(default_team_after_fork, of_grandchildren) {
  EXPECT_TRUE(works());
  EXPECT_EQ(code_of_child([] {
              if (!works()) return 1;
              return code_of_child([] { return works() ? 0 : 2; });
            }),
            0);
}

TEST(default_team_after_fork, inside_of_a_task) {
#if defined(TEFF_ADDRESS_SANITIZER)
  const auto leave = &_exit;  // what hangs on the main thread's stack alone would be a leak in the child
#else
  const auto leave = static_cast<void (*)(int)>(&std::exit);
#endif
  int code = -1;
  default_team::call([&] { code = code_of_child([] { return works() ? 0 : 1; }, leave); });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(works());
}

TEST(default_team_after_fork, while_other_threads_call) {
  platform::atomic<bool> enough{false};
  std::vector<std::thread> busy;
  std::latch have_called(3);
  for (int thread = 0; thread < 3; ++thread) {
    busy.emplace_back([&] {
      EXPECT_TRUE(works());
      have_called.count_down();
      while (!enough.load(platform::relaxed)) EXPECT_TRUE(works());
    });
  }
#if defined(TEFF_ADDRESS_SANITIZER)  // the lock of its allocator stays taken in a child: who makes the team and threads has it
  have_called.wait();
#endif
  for (int round = 0; round < 10; ++round) EXPECT_EQ(code_of_child([] { return works() ? 0 : 1; }, _exit), 0);
  enough.store(true, platform::relaxed);
  for (std::thread& each : busy) each.join();
}

// --- the end of the process
// --------------------------------------------------------------------------------------------------------

TEST(default_team_at_the_end, lets_a_task_call_exit) {
  EXPECT_EQ(code_of_child([] {
              parallel_for(0, 100, [](int i) {
                if (i == 77) std::exit(7);
              });
              return 1;
            }),
            7);
}

TEST(default_team_at_the_end, does_not_wait_for_calls_of_other_threads) {
  EXPECT_EQ(code_of_child([] {
              static event begun;
              std::thread([] {
                default_team::call([] {
                  begun.set();
                  event().wait();  // for ever
                });
              }).detach();
              begun.wait();
              return 7;
            }),
            7);
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
