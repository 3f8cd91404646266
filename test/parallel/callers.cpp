// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls that run on the thread of their caller, which carries a worker meanwhile: what may run there, and that nobody is lost
/// when the worker goes back.
#include "scene.h"

#include "runtime/entrance.h"

#include <array>
#include <memory>

#ifndef TEFF_SIMULATED
#include <cfenv>
#include <csignal>
#include <filesystem>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

using flag = platform::atomic<std::uint32_t>;

void raise_flag(flag& raised) { raised.store(1, platform::release); }
/// Waits as a task must not, and as nobody else can help.
void wait_as_a_thread(flag& until) {
  platform::spin_until(until, [](std::uint32_t seen) { return seen != 0; }, "a flag of the test");
}

bool is_on_caller(context& here) { return static_cast<workers::member&>(here.current()).carried_by != nullptr; }

/// Effect: returns when worker 0 sleeps.
void await_sleep(runtime::entrance& through) {
  auto& first = static_cast<workers::member&>(through.team().worker_at(0));
  platform::spin_until(first.word, [](std::uint32_t seen) { return seen == workers::sleepers::asleep; }, "worker 0 to sleep");
}

/// Effect: calls the function in a call that runs on the thread of its caller: as soon as worker 0 sleeps, and nobody has
/// anything to do, a call does.
void call_here(runtime::entrance& through, const std::function<void(context&)>& function) {
  struct attempt {
    const std::function<void(context&)>& function;
    bool was_here = false;
    static void run(context& here, void* pointer) {
      auto& self = *static_cast<attempt*>(pointer);
      self.was_here = is_on_caller(here);
      if (self.was_here) self.function(here);
    }
  };
  for (;;) {
    await_sleep(through);
    attempt now{function};
    through.call(&attempt::run, &now);
    if (now.was_here) return;
  }
}

/// What a task does that nobody waits for in the call: it waits until that has returned.
struct left_behind {
  flag begun{0}, gone{0}, ended{0}, waits{0};
  event gate, come;

  void run() {
    raise_flag(begun);
    wait_as_a_thread(gone);
    raise_flag(ended);
  }
  /// Effect: that task ends. Threads: one outside, behind the call.
  void end() {
    raise_flag(gone);
    wait_as_a_thread(ended);
  }
  /// Effect: the call goes on when that task has begun. Threads: one outside.
  void open_gate() {
    wait_as_a_thread(begun);
    gate.set();
  }
};

class callers : public ::testing::TestWithParam<std::string> {
 protected:
  /// Effect: calls the body with the entrance of a team.
  static void with_team(unsigned workers, const std::function<void(runtime::entrance&)>& body,
                        const std::vector<std::string>& settings = {}) {
    const auto play_on = [&](unsigned processors) {
      testing_sync::on_random_schedules(processors, 200, [&] {
        runtime::entrance open(made(GetParam(), workers, settings));
        body(open);
      });
    };
    play_on(workers + 6);
#ifdef TEFF_SIMULATED
    play_on(2);  // callers are where workers are, and may carry any of these
#endif
  }
  /// Effect: a call puts something by put(context&, left_behind&) and waits for a gate, which is opened when what it put has
  /// begun; it has to return though that goes on for longer.
  static void leave_behind(const std::function<void(context&, left_behind&)>& put) {
    with_team(2, [&](runtime::entrance& open) {
      left_behind left;
      {
        foreign_thread opener([&] { left.open_gate(); });
        call_here(open, [&](context& here) {
          put(here, left);
          left.gate.wait();
        });
      }
      left.end();
    });
  }
};

TEST_P(callers, run_their_calls_again_and_again) {
  with_team(2, [](runtime::entrance& open) {
    for (unsigned round = 1; round <= 3; ++round) {
      platform::atomic<unsigned> runs{0};
      call_here(open, [&](context& here) {
        parallel_for(here, 0, 40, [&](int) { runs.fetch_add(1, platform::relaxed); });
        task_group group;
        for (unsigned child = 0; child < 10; ++child) group.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
        group.wait(here);
      });
      EXPECT_EQ(runs.load(platform::relaxed), 50u);
    }
  });
}

TEST_P(callers, run_all_of_a_team_of_one) {
  with_team(1, [](runtime::entrance& open) {
    call_here(open, [](context& here) {
      EXPECT_EQ(parallel_reduce(here, 0, 50, 0, [](int i) { return i; }, std::plus<>()), 1225);
      EXPECT_TRUE(is_on_caller(here));
    });
  });
}

TEST_P(callers, leave_tasks_that_nobody_awaits_to_others) {
  // The first one is shown to who is asleep; the other one stays where it was put.
  leave_behind([](context& here, left_behind& left) {
    here.put([](context&) {});
    here.put([&left](context&) { left.run(); });
  });
}

TEST_P(callers, leave_large_tasks_that_nobody_awaits_to_others) {
  leave_behind([](context& here, left_behind& left) {
    here.put([&left, room = std::array<char, 40>{}](context&) {
      EXPECT_EQ(room[7], 0);
      left.run();
    });
  });
}

TEST_P(callers, leave_children_of_groups_to_others) {
  with_team(2, [](runtime::entrance& open) {
    left_behind left;
    task_group group;
    {
      foreign_thread opener([&] { left.open_gate(); });
      call_here(open, [&](context& here) {
        group.put(here, [&left] { left.run(); });
        left.gate.wait();
      });
    }
    left.end();
    call_here(open, [&](context& here) { group.wait(here); });
  });
}

TEST_P(callers, leave_calls_of_others_to_others) {
  with_team(2, [](runtime::entrance& open) {
    left_behind left;
    flag inside{0};
    foreign_thread second([&] {
      wait_as_a_thread(inside);
      open.call([](context&, void* pointer) { static_cast<left_behind*>(pointer)->run(); }, &left);
    });
    {
      foreign_thread opener([&] { left.open_gate(); });
      call_here(open, [&](context&) {
        raise_flag(inside);
        left.gate.wait();
      });
    }
    left.end();
  });
}

TEST_P(callers, wait_for_their_call_while_a_task_waits) {
  with_team(2, [](runtime::entrance& open) {
    event come;
    flag waits{0}, ended{0};
    call_here(open, [&](context& here) {
      here.put([&](context&) {
        raise_flag(waits);
        come.wait();
        raise_flag(ended);
      });
    });
    wait_as_a_thread(waits);
    await_sleep(open);
    bool was_here = true;
    open.call([](context& here, void* pointer) { *static_cast<bool*>(pointer) = is_on_caller(here); }, &was_here);
    EXPECT_FALSE(was_here);
    come.set();
    wait_as_a_thread(ended);
  });
}

TEST_P(callers, give_their_worker_away_for_a_call_outside) {
  const auto body = [](runtime::entrance& open) {
    for (unsigned round = 0; round < 2; ++round) {
      flag ran{0};
      call_here(open, [&](context& here) {
        here.put([&ran](context&) { raise_flag(ran); });
        blocking([&] { wait_as_a_thread(ran); });
      });
    }
  };
  with_team(1, body, {"outside=1"});
}

TEST_P(callers, run_nothing_that_nobody_awaits) {
  with_team(3, [](runtime::entrance& open) {
    for (unsigned round = 0; round < 3; ++round) {
      event come;
      platform::atomic<std::uint32_t> ended{0}, awaited{0};
      task_group group;
      call_here(open, [&](context& here) {
        const auto waits = [&](context& own) {
          EXPECT_FALSE(is_on_caller(own));
          come.wait();
          EXPECT_FALSE(is_on_caller(own));
          ended.fetch_add(1, platform::acq_rel);
        };
        here.put([waits, room = std::array<char, 40>{}](context& own) {
          EXPECT_EQ(room[7], 0);
          waits(own);
        });
        here.put(waits);
        group.put(here, waits);
        join(
            here, [&] { come.set(); },
            [&](context& own) {
              parallel_for(own, 0, 20, [&](int) { awaited.fetch_add(1, platform::relaxed); });
              own.put(waits);
            });
      });
      EXPECT_EQ(awaited.load(platform::relaxed), 20u);
      platform::spin_until(ended, [](std::uint32_t seen) { return seen == 4; }, "the tasks of the test");
      call_here(open, [&](context& here) { group.wait(here); });
    }
  });
}

TEST_P(callers, leave_closures_that_lie_in_slots_whole) {
  with_team(2, [](runtime::entrance& open) {
    std::array<platform::atomic<std::uint32_t>, 12> runs{};
    platform::atomic<std::uint32_t> ended{0};
    call_here(open, [&](context& here) {
      for (unsigned each = 0; each < 4; ++each) {
        // No more than has room in a slot.
        auto* const own = &runs[each];
        here.put([own, &to = ended](context& there) {
          own->fetch_add(1, platform::relaxed);
          for (unsigned next = 4; next <= 8; next += 4) {
            there.put([behind = own + next, &to](context&) {
              behind->fetch_add(1, platform::relaxed);
              to.fetch_add(1, platform::acq_rel);
            });
          }
        });
      }
    });
    platform::spin_until(ended, [](std::uint32_t seen) { return seen == 8; }, "the tasks of the test");
    for (const auto& each : runs) EXPECT_EQ(each.load(platform::relaxed), 1u);
  });
}

TEST_P(callers, keep_their_worker_while_a_task_is_pinned) {
  with_team(2, [](runtime::entrance& open) {
    event gate;
    flag inside{0};
    foreign_thread opener([&] {
      wait_as_a_thread(inside);
      gate.set();
    });
    call_here(open, [&](context& here) {
      const pin here_alone(here);
      raise_flag(inside);
      here.put([](context&) {});
      gate.wait();
      EXPECT_TRUE(is_on_caller(here));
    });
  });
}

TEST_P(callers, come_back_wherever_their_call_ends) {
  with_team(3, [](runtime::entrance& open) {
    for (unsigned round = 0; round < 4; ++round) {
      event gate;
      flag inside{0};
      foreign_thread opener([&] {
        wait_as_a_thread(inside);
        gate.set();
      });
      call_here(open, [&](context&) {
        raise_flag(inside);
        gate.wait();
      });
    }
  });
}

/// Workers of other pools do not find what one has kept to itself while its task waits as a thread.
using callers_by_force = callers;

TEST_P(callers_by_force, leave_tasks_that_go_on_to_others) {
  leave_behind([](context& here, left_behind& left) {
    here.put([&left](context&) {
      raise_flag(left.waits);
      left.come.wait();
      left.run();
    });
    wait_as_a_thread(left.waits);
    here.put([](context&) {});  // who is asleep is woken for this one
    left.come.set();
  });
}

TEST_P(callers_by_force, end_loops_of_others_with_the_task_that_goes_on) {
  leave_behind([](context& here, left_behind& left) {
    const auto forked = [&left](context& own) {
      raise_flag(left.waits);
      left.come.wait();
      own.put([](context&) {});
      own.put([&left](context&) { left.run(); });
    };
    join(
        here,
        [&left] {
          wait_as_a_thread(left.waits);
          left.come.set();
          left.gate.wait();
        },
        forked);
  });
}

/// A task makes others, of which the last one stays its worker's own: nobody looked for one when it was put. The next to last one
/// is then taken, and both wait for the last one, which the worker of the call alone can run.
struct keeps_one {
  flag first{0}, all{0}, second{0}, third{0};
  platform::atomic<std::uint32_t> ended{0};

  void run(context& own) {
    own.put([this](context&) { wait_and_end(first, all); });
    wait_as_a_thread(first);
    own.put([this](context&) { wait_and_end(second, third); });
    own.put([this](context&) { wait_and_end(third, third); });
    wait_and_end(all, third);
  }
  void wait_and_end(flag& mine, flag& until) {
    raise_flag(mine);
    wait_as_a_thread(until);
    ended.fetch_add(1, platform::acq_rel);
  }
};

TEST_P(callers_by_force, see_what_others_keep_when_they_leave) {
  with_team(3, [](runtime::entrance& open) {
    keeps_one tasks;
    call_here(open, [&](context& here) {
      here.put([&tasks](context& own) { tasks.run(own); });
      wait_as_a_thread(tasks.second);
    });
    platform::spin_until(tasks.ended, [](std::uint32_t seen) { return seen == 4; }, "the tasks of the test");
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, callers, ::testing::Values("teff", "dq5", "dq8", "sq1", "sq4"),
                         [](const auto& each) { return each.param; });

INSTANTIATE_TEST_SUITE_P(catalogue, callers_by_force, ::testing::Values("teff"), [](const auto& each) { return each.param; });

#ifndef TEFF_SIMULATED

TEST(callers_in_another_rounding_mode, keep_it_and_give_it_to_no_task) {
  runtime::entrance open(made("teff", 2));
  std::fesetround(FE_UPWARD);
  int inside = -1;
  call_here(open, [&inside](context&) { inside = std::fegetround(); });
  const int behind = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(inside, FE_TONEAREST);
  EXPECT_EQ(behind, FE_UPWARD);
}

/// A worker's own thread may wake up from the system's sleep at any time, also while another one carries the worker.
TEST(callers_beside_signals, keep_worker_and_thread_apart) {
  struct sigaction nothing{}, before{};
  nothing.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &nothing, &before), 0);
  {
    runtime::entrance open(made("teff", 2));
    flag over{0};
    foreign_thread disturber([&] {
      while (over.load(platform::acquire) == 0) {
        for (const auto& each : std::filesystem::directory_iterator("/proc/self/task"))
          syscall(SYS_tgkill, getpid(), std::stoi(each.path().filename()), SIGUSR1);
      }
    });
    for (unsigned round = 0; round < 2'000; ++round) {
      call_here(open,
                [](context& here) { EXPECT_EQ(parallel_reduce(here, 0, 100, 0, [](int i) { return i; }, std::plus<>()), 4950); });
    }
    raise_flag(over);
  }
  sigaction(SIGUSR1, &before, nullptr);
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
