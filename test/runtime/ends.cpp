// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What becomes of a program that ends, or leaves, inside of a task: docs/howto/ends-and-exits.md. Each in a process of its own.
#include "ends_in_c.h"
#include "helpers.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::inline TEFF_PLATFORM::testing_runtime {
namespace {

/// A process that hangs is killed after so many seconds, and the test fails.
constexpr unsigned seconds_to_live = 60;

/// How a process ended: its exit code, or 128 and the signal; what it said on standard error.
struct ending {
  int code = -1;
  std::string said;
};

/// Effect: calls what() in a process of its own, which ends with 97 if that returns.
ending ending_of(const std::function<void()>& what) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds_to_live);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    what();
    _exit(97);
  }
  close(ends[1]);
  ending seen;
  char text[512];
  for (ssize_t count; (count = read(ends[0], text, sizeof text)) > 0;) seen.said.append(text, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = -1;
  if (child > 0 && waitpid(child, &status, 0) == child)
    seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return seen;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Tells that static objects are destroyed.
struct last_words {
  ~last_words() { std::fputs("static objects end\n", stderr); }
};

void expect_exit(const ending& seen) {
  EXPECT_EQ(seen.code, 5) << seen.said;
  EXPECT_TRUE(contains(seen.said, "static objects end")) << seen.said;
  EXPECT_FALSE(contains(seen.said, "teff:")) << seen.said;
}

/// The child of a child that the task forked has ended with the documented code, and its parent has gone on.
void expect_lost_child(const ending& seen) {
  EXPECT_TRUE(contains(seen.said, "teff: a child of fork() came back to the team of its parent")) << seen.said;
  EXPECT_TRUE(contains(seen.said, "the child ended with 70")) << seen.said;
  EXPECT_EQ(seen.code, 97) << seen.said;
}

void expect_abort(const ending& seen, const char* sentence) {
  EXPECT_EQ(seen.code, 128 + SIGABRT) << seen.said;
  EXPECT_TRUE(contains(seen.said, sentence)) << seen.said;
}

const char* const thread_ended = "teff: a thread ended inside of a task";
const char* const jumped = "teff: a task left the run of its team by longjmp";

void tell_how(pid_t child) {
  int status = -1;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    std::fprintf(stderr, "the child ended with %d\n", WEXITSTATUS(status));
}

// --- exit ----------------------------------------------------------------------------------------------------------------------

class ends_of : public ::testing::TestWithParam<std::string> {
 protected:
  /// A team of this pool whose destructor exit calls, and other static objects around it.
  team& static_team(unsigned workers = 4) const {
    static const last_words first;
    static team made({.pool = GetParam(), .workers = workers});
    static team unused({.pool = GetParam(), .workers = 2});
    return made;
  }
  /// The bodies are initial tasks: each worker has one, whatever the pool shares.
  template <class... Bodies>
  void run_static(unsigned workers, const Bodies&... bodies) const {
    team& on = static_team(workers);
    (on.init([&bodies](context& here) { bodies(here); }), ...);
    on.run();
  }
};

TEST_P(ends_of, exit_in_a_task_of_a_static_team) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    expect_exit(ending_of([&] { run_static(workers, [](context&) { std::exit(5); }); }));
  }
}

TEST_P(ends_of, exit_on_a_worker_that_is_not_the_main_thread) {
  expect_exit(ending_of([&] {
    run_static(4, [](context& here) {
      const auto until_it_ends = [](context& there) {
        if (there.worker_id() != 0) std::exit(5);
      };
      for (int i = 0; i < 1'000'000; ++i) here.put(until_it_ends);
    });
  }));
}

TEST_P(ends_of, exit_while_other_workers_run_tasks) {
  expect_exit(ending_of([&] {
    static platform::atomic<int> running{0};
    const auto go_on = [](context&) {
      running.fetch_add(1, platform::relaxed);
      for (;;) pause();
    };
    const auto leave = [](context&) {
      platform::spin_until(running, [](int tasks) { return tasks == 3; }, "the tasks");
      std::exit(5);
    };
    run_static(4, leave, go_on, go_on, go_on);
  }));
}

TEST_P(ends_of, exit_in_a_child_that_runs_in_place) {
  expect_exit(ending_of([&] {
    run_static(2, [](context&) {
      task_group group;
      group.spawn([] { std::exit(5); });
      group.wait();
    });
  }));
}

TEST_P(ends_of, exit_in_a_call_outside) {
  expect_exit(ending_of([&] { run_static(2, [](context&) { blocking([] { std::exit(5); }); }); }));
}

TEST_P(ends_of, quick_exit_in_a_task) {
  const ending seen = ending_of([&] {
    std::at_quick_exit([] { std::fputs("quick\n", stderr); });
    run_static(2, [](context&) { std::quick_exit(5); });
  });
  EXPECT_EQ(seen.code, 5);
  EXPECT_EQ(seen.said, "quick\n");
}

TEST_P(ends_of, exit_while_a_detached_thread_runs_the_team) {
  expect_exit(ending_of([&] {
    team& on = static_team();
    static injector keeps_it_running(on);
    static platform::atomic<bool> runs{false};
    on.init([](context&) { runs.store(true, platform::release); });
    pthread_t runner;
    const auto run = [](void* pointer) -> void* {
      static_cast<team*>(pointer)->run();
      return nullptr;
    };
    if (pthread_create(&runner, nullptr, run, &on) != 0 || pthread_detach(runner) != 0) _exit(96);
    platform::spin_until(runs, [](bool begun) { return begun; }, "the run");
    std::exit(5);
  }));
}

TEST_P(ends_of, exit_while_static_objects_are_held_and_waited_for) {
  expect_exit(ending_of([&] {
    static mutex held;
    static shared_mutex shared;
    static event never;
    static platform::atomic<int> holds{0}, waiting{0};
    const auto leave = [](context&) {
      held.lock();
      shared.lock();
      holds.store(1, platform::release);
      platform::spin_until(waiting, [](int tasks) { return tasks == 3; }, "the tasks");
      std::exit(5);
    };
    const auto waiting_by = [](auto wait) {
      return [wait](context&) {
        platform::spin_until(holds, [](int taken) { return taken == 1; }, "who holds the objects");
        waiting.fetch_add(1, platform::relaxed);
        wait();
      };
    };
    run_static(4, leave, waiting_by([] { held.lock(); }), waiting_by([] { shared.lock_shared(); }), waiting_by([] { never.wait(); }));
  }));
}

INSTANTIATE_TEST_SUITE_P(catalogue, ends_of, ::testing::Values("sq1", "dq8", "teff"), [](const auto& each) { return each.param; });

void in_default_team(const std::function<void(context&)>& body) {
  static const last_words first;
  default_team::run([&](context& here) { body(here); });
}

TEST(exit_in_default_team, a_task) {
  expect_exit(ending_of([] { in_default_team([](context&) { std::exit(5); }); }));
}

TEST(exit_in_default_team, a_part_of_a_loop) {
  expect_exit(ending_of([] {
    in_default_team([](context&) {
      parallel_for(0, 100, [](int i) {
        if (i == 50) std::exit(5);
      });
    });
  }));
}

TEST(exit_in_default_team, a_task_for_which_nobody_waits) {
  expect_exit(ending_of([] {
    in_default_team([](context& here) { here.put([](context&) { std::exit(5); }); });
    for (;;) pause();
  }));
}

TEST(exit_in_default_team, a_call_outside_for_which_nobody_waits) {
  expect_exit(ending_of([] {
    in_default_team([](context& here) { here.put([](context&) { blocking([] { std::exit(5); }); }); });
    for (;;) pause();
  }));
}

TEST(exit_in_default_team, its_end_is_refused_to_its_own_tasks) {
  const ending seen = ending_of([] {
    in_default_team([](context& here) {
      here.put([](context&) { _exit(contains(sentence_of(&default_team::end), "cannot end") ? 5 : 1); });
    });
    for (;;) pause();
  });
  EXPECT_EQ(seen.code, 5) << seen.said;
}

// --- fork ----------------------------------------------------------------------------------------------------------------------

void in_a_team(const std::function<void(context&)>& body, const char* pool = "teff") {
  team on({.pool = pool, .workers = 4});
  on.init([&](context& here) { body(here); });
  on.run();
}

void after_fork(pid_t (*make)(), const std::function<void()>& in_child) {
  const pid_t child = make();
  if (child != 0) return tell_how(child);
  alarm(seconds_to_live);
  in_child();
}

TEST(fork_in_a_task, and_return) {
  for (const auto make : {&fork, &_Fork}) {
    for (const char* pool : {"sq1", "dq8", "teff"}) {
      expect_lost_child(ending_of([&] { in_a_team([&](context&) { after_fork(make, [] {}); }, pool); }));
    }
  }
}

TEST(fork_in_a_task, the_tasks_that_wait_run_in_the_parent_alone) {
  const ending seen = ending_of([] {
    team on({.workers = 1});
    on.init([](context& here) {
      for (int i = 0; i < 3; ++i) here.put([](context&) { std::fputs("a task\n", stderr); });
      after_fork(&fork, [] {});
    });
    on.run();
  });
  expect_lost_child(seen);
  EXPECT_EQ(seen.said.find("a task"), seen.said.rfind("a task") - 2 * std::strlen("a task\n")) << seen.said;
}

TEST(fork_in_a_task, and_put) {
  expect_lost_child(ending_of([] {
    in_a_team([](context& here) {
      after_fork(&fork, [&] {
        here.put([](context&) {});
        _exit(98);
      });
    });
  }));
}

TEST(fork_in_a_task, and_wait) {
  expect_lost_child(ending_of([] {
    in_a_team([](context&) {
      task_group group;
      group.spawn([] {});
      after_fork(&fork, [&] {
        group.wait();
        _exit(98);
      });
    });
  }));
  expect_lost_child(ending_of([] {
    in_a_team([](context&) {
      after_fork(&fork, [&] {
        event().wait();
        _exit(98);
      });
    });
  }));
}

TEST(fork_in_a_task, in_the_first_function_of_a_join) {
  for (const auto make : {&fork, &_Fork}) {
    expect_lost_child(ending_of([&] {
      in_a_team([&](context&) { join([&] { after_fork(make, [] {}); }, [] {}); });
    }));
  }
}

TEST(fork_in_a_task, in_a_call_outside) {
  for (const auto make : {&fork, &_Fork}) {
    expect_lost_child(ending_of([&] {
      in_a_team([&](context&) { blocking([&] { after_fork(make, [] {}); }); });
    }));
  }
}

TEST(fork_in_a_task, and_use_teams_of_its_own_before) {
  expect_lost_child(ending_of([] {
    in_a_team([](context&) {
      after_fork(&fork, [] {
        int runs = 0;
        in_a_team([&](context&) { ++runs; });
        default_team::run([&] { ++runs; });
        if (runs != 2) _exit(98);
      });
    });
  }));
}

TEST(fork_in_a_task, a_child_that_ends_by_itself_says_nothing) {
  const ending seen = ending_of([] { in_a_team([](context&) { after_fork(&fork, [] { _exit(4); }); }); });
  EXPECT_EQ(seen.said, "the child ended with 4\n");
}

// --- the end of a thread ---------------------------------------------------------------------------------------------------------

[[noreturn]] void end_thread() { pthread_exit(nullptr); }

TEST(pthread_exit_inside, a_task) {
  expect_abort(ending_of([] { in_a_team([](context&) { end_thread(); }); }), thread_ended);
}

TEST(pthread_exit_inside, a_child_of_a_group) {
  expect_abort(ending_of([] {
                 in_a_team([](context&) {
                   task_group group;
                   group.spawn([] { end_thread(); });
                   group.wait();
                 });
               }),
               thread_ended);
}

TEST(pthread_exit_inside, either_function_of_a_join) {
  expect_abort(ending_of([] { join([] { end_thread(); }, [] {}); }), thread_ended);
  expect_abort(ending_of([] { join([] {}, [] { end_thread(); }); }), thread_ended);
}

TEST(pthread_exit_inside, a_loop) {
  expect_abort(ending_of([] { parallel_for(0, 100, [](int) { end_thread(); }); }), thread_ended);
}

TEST(pthread_exit_inside, a_call_outside) {
  expect_abort(ending_of([] { in_a_team([](context&) { blocking([] { end_thread(); }); }); }), thread_ended);
}

TEST(cancellation, waits_for_the_end_of_a_run) {
  const ending seen = ending_of([] {
    pthread_t runner;
    const auto run = [](void*) -> void* {
      in_a_team([](context&) {
        pthread_cancel(pthread_self());
        usleep(1);
        std::fputs("the task goes on\n", stderr);
      });
      pthread_cancel(pthread_self());  // in case that the task was another thread's
      usleep(1);
      std::fputs("too far\n", stderr);
      return nullptr;
    };
    void* result = nullptr;
    if (pthread_create(&runner, nullptr, run, nullptr) != 0 || pthread_join(runner, &result) != 0) _exit(96);
    _exit(result == PTHREAD_CANCELED ? 5 : 1);
  });
  EXPECT_EQ(seen.code, 5) << seen.said;
  EXPECT_EQ(seen.said, "the task goes on\n");
}

TEST(cancellation, that_a_task_allows_ends_the_program) {
  expect_abort(ending_of([] {
                 in_a_team([](context&) {
                   pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
                   pthread_cancel(pthread_self());
                   usleep(1);
                 });
               }),
               thread_ended);
}

// --- longjmp ---------------------------------------------------------------------------------------------------------------------

std::jmp_buf before_run;

void jump_out_of_run() {
  team on({.workers = 1});  // on another thread a jump to this frame has no meaning
  on.init([](context&) { std::longjmp(before_run, 1); });
  if (setjmp(before_run) == 0) on.run();
  std::fputs("run was left\n", stderr);
  std::exit(96);
}

TEST(longjmp_out_of_run, of_the_main_thread) { expect_abort(ending_of(&jump_out_of_run), jumped); }

TEST(longjmp_out_of_run, of_another_thread) {
  expect_abort(ending_of([] { const foreign_thread runs(&jump_out_of_run); }), jumped);
}

TEST(longjmp_out_of_run, not_if_it_stays_in_the_task) {
  const ending seen = ending_of([] {
    team on({.workers = 1});
    on.init([](context&) {
      if (static std::jmp_buf here; setjmp(here) == 0) std::longjmp(here, 1);
    });
    on.run();
    if (setjmp(before_run) == 0) std::longjmp(before_run, 1);
  });
  EXPECT_EQ(seen.code, 97) << seen.said;
  EXPECT_EQ(seen.said, "");
}

TEST(longjmp_over_a_child, that_runs_in_place_is_found_when_the_task_ends) {
  expect_abort(ending_of([] {
                 team on({.workers = 1});
                 on.init([](context&) {
                   static auto* const group = new task_group;  // the end of one would wait for its child
                   group->spawn([] { std::longjmp(before_run, 1); });
                   if (setjmp(before_run) == 0) group->wait();
                 });
                 on.run();
               }),
               "was left by longjmp");
}

// --- the same in C ---------------------------------------------------------------------------------------------------------------

ending in_c(const char* name) {
  for (const end_in_c* each = ends_in_c; each->name != nullptr; ++each) {
    if (std::strcmp(each->name, name) == 0) return ending_of(each->happen);
  }
  return {.said = "there is no such end"};
}

TEST(ends_of_c_programs, exit) {
  for (const char* each : {"exit_in_a_task", "exit_in_a_join", "exit_in_a_loop"}) {
    const ending seen = in_c(each);
    EXPECT_EQ(seen.code, 5) << each << ": " << seen.said;
    EXPECT_EQ(seen.said, std::strcmp(each, "exit_in_a_task") == 0 ? "finalized? not now\n" : "") << each;
  }
}

TEST(ends_of_c_programs, fork) {
  for (const char* each : {"fork_returns", "_fork_returns", "fork_puts", "fork_returns_from_a_join"}) expect_lost_child(in_c(each));
}

TEST(ends_of_c_programs, pthread_exit) {
  for (const char* each : {"pthread_exit_in_a_task", "pthread_exit_in_the_first_of_a_join", "pthread_exit_in_the_second_of_a_join",
                           "pthread_exit_in_a_loop"})
    expect_abort(in_c(each), thread_ended);
}

TEST(ends_of_c_programs, cancellation) {
  for (const char* each : {"cancelled_in_a_task", "cancelled_in_a_call"}) {
    const ending seen = in_c(each);
    EXPECT_EQ(seen.code, 5) << each << ": " << seen.said;
  }
}

TEST(ends_of_c_programs, longjmp) {
  for (const char* each : {"longjmp_out_of_run", "longjmp_out_of_run_in_a_thread"}) expect_abort(in_c(each), jumped);
  EXPECT_EQ(in_c("longjmp_inside_of_a_task").code, 5);
}

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM::testing_runtime
