// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What becomes of a program that ends inside of a task, and of C programs that end, or leave: docs/howto/ends-and-exits.md. Each in
/// a process of its own.
#include "ends.h"
#include "ends_in_c.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <pthread.h>
#include <thread>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

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
      group.put([] { std::exit(5); });
      group.wait();
    });
  }));
}

TEST_P(ends_of, exit_in_a_child_of_a_static_group) {
  expect_exit(ending_of([&] {
    run_static(2, [](context&) {
      static task_group group;
      group.put([] { std::exit(5); });
      group.wait();
    });
  }));
  expect_exit(ending_of([&] {
    run_static(2, [](context&) {
      static future<void> result;
      result = async([] { std::exit(5); });
      result.get();
    });
  }));
}

/// Whoever destroys it, and whatever its storage: only exit does not wait.
TEST_P(ends_of, static_objects_that_a_task_gives_back_are_waited_for) {
  static future<void> result;
  static std::optional<task_group> group;
  platform::atomic<unsigned> ran{0};
  const auto child = [&] { ran.fetch_add(1, platform::relaxed); };
  team on({.pool = GetParam(), .workers = 1});  // no child begins before somebody waits
  on.init([&](context&) {
    result = async(child);
    result = async(child);
    EXPECT_GE(ran.load(platform::relaxed), 1u) << "a future was given another task while its own had not ended";
    result.get();
    group.emplace().put(child);
    group.reset();
    EXPECT_EQ(ran.load(platform::relaxed), 3u) << "a group is gone before its child";
  });
  on.run();
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
    run_static(4, leave, waiting_by([] { held.lock(); }), waiting_by([] { shared.lock_shared(); }),
               waiting_by([] { never.wait(); }));
  }));
}

/// What a thread leaves behind that waits when it ends.
struct last_wait {
  event* until = nullptr;
  platform::atomic<unsigned>*begun = nullptr, *ended = nullptr;
  ~last_wait() {
    if (until == nullptr) return;
    begun->store(1, platform::release);
    until->wait();
    ended->store(1, platform::release);
  }
};
thread_local last_wait left_behind;

TEST_P(ends_of, a_workers_thread_waits_in_the_destructor_of_its_own_object) {
  event go;
  platform::atomic<unsigned> begun{0}, ended{0}, there{0};
  const std::thread::id caller = std::this_thread::get_id();  // which carries a worker, and lives on
  {
    const foreign_thread other([&] {
      platform::spin_until(begun, [](unsigned seen) { return seen != 0; }, "the end of a worker's thread");
      go.set();
    });
    team on({.pool = GetParam(), .workers = 2});
    for (unsigned worker = 0; worker < 2; ++worker) {
      on.init([&](context&) {
        there.fetch_add(1, platform::relaxed);
        platform::spin_until(there, [](unsigned seen) { return seen == 2; }, "a task on the other thread");
        if (std::this_thread::get_id() == caller) return;
        left_behind.until = &go;
        left_behind.begun = &begun;
        left_behind.ended = &ended;
      });
    }
    on.run();
  }
  EXPECT_EQ(ended.load(platform::acquire), 1u);
}

INSTANTIATE_TEST_SUITE_P(catalogue, ends_of, ::testing::Values("sq1", "dq8", "teff"),
                         [](const auto& each) { return each.param; });

void in_default_team(const std::function<void(context&)>& body) {
  static const last_words first;
  default_team::call([&](context& here) { body(here); });
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
  for (const char* each : {"fork_returns", "_fork_returns", "fork_puts", "fork_returns_from_a_join"}) {
    expect_lost_child(in_c(each));
  }
}

TEST(ends_of_c_programs, pthread_exit) {
  for (const char* each : {"pthread_exit_in_a_task", "pthread_exit_in_the_first_of_a_join",
                           "pthread_exit_in_the_second_of_a_join", "pthread_exit_in_a_loop"})
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
}  // namespace TEFF_NAMESPACE::testing_runtime
