// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What becomes of a program that leaves a task by fork, pthread_exit, cancellation or longjmp: docs/howto/ends-and-exits.md.
#include "ends.h"

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

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
      event forked;  // no other worker ends the child before
      task_group group;
      group.put([&] { forked.wait(); });
      after_fork(&fork, [&] {
        group.wait();
        _exit(98);
      });
      forked.set();
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

/// Effect: ends the process with a code of its own where it is not the context of that team that is found inside of it, or one is
/// found behind it.
void ask_in_a_team_of_its_own() {
  in_a_team([](context& own) {
    if (detail::context_here() != &own) _exit(92);
  });
  if (detail::context_here() != nullptr) _exit(91);
}

TEST(fork_in_a_task, the_child_has_no_context_to_look_up) {
  for (const auto make : {&fork, &_Fork}) {
    const ending seen = ending_of([&] {
      in_a_team([&](context& here) {
        event set_aside;  // the fiber goes on, perhaps on another worker
        task_group group;
        group.put([&] { set_aside.set(); });
        set_aside.wait();
        if (detail::context_here() != &here) _exit(96);
        blocking([] {
          if (detail::context_here() != nullptr) _exit(95);
        });
        if (detail::context_here() != &here) _exit(94);
        after_fork(make, [&] {
          if (detail::context_here() != nullptr) _exit(93);
          // Not behind _Fork(): a thread that its child does not have may hold the lock of the heap, or of the supply of stacks.
          if (make == &fork) ask_in_a_team_of_its_own();
          _exit(4);
        });
        if (detail::context_here() != &here) _exit(90);
        group.wait();
      });
    });
    EXPECT_EQ(seen.said, "the child ended with 4\n");
  }
}

/// … nor one that asks a team of its own, where it may make one: its parent has no other thread.
TEST(fork_in_a_task, the_child_of_an_only_thread_has_a_context_of_its_own) {
  for (const auto make : {&fork, &_Fork}) {
    const ending seen = ending_of([&] {
      team on({.workers = 1});
      on.init([&](context& here) {
        if (!platform::is_only_thread()) _exit(97);
        after_fork(make, [] {
          if (detail::context_here() != nullptr) _exit(93);
          ask_in_a_team_of_its_own();
          _exit(4);
        });
        if (detail::context_here() != &here) _exit(90);
      });
      on.run();
    });
    EXPECT_EQ(seen.said, "the child ended with 4\n");
  }
}

TEST(fork_in_a_task, and_use_teams_of_its_own_before) {
  expect_lost_child(ending_of([] {
    in_a_team([](context&) {
      after_fork(&fork, [] {
        int runs = 0;
        in_a_team([&](context&) { ++runs; });
        default_team::call([&] { ++runs; });
        if (runs != 2) _exit(98);
      });
    });
  }));
}

TEST(fork_in_a_task, and_wait_for_tasks_of_its_own) {
  const ending seen = ending_of([] {
    in_a_team([](context&) {
      after_fork(&fork, [] {
        task_group group;
        group.put([] {
          for (volatile int steps = 0; steps < 20'000'000;) steps = steps + 1;  // longer than who waits spins
        });
        group.wait();
        _exit(4);
      });
    });
  });
  EXPECT_EQ(seen.said, "the child ended with 4\n");
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
                   group.put([] { end_thread(); });
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
                   group->put([] { std::longjmp(before_run, 1); });
                   if (setjmp(before_run) == 0) group->wait();
                 });
                 on.run();
               }),
               "was left by longjmp");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
