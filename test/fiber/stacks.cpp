// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stacks: reused; without guard pages past a number; refused; too small; and very many of the smallest.
#include "journey.h"

#include "platform/sanitizers.h"
#include "platform/stack_supply.h"
#include "test/support/address_space.h"
#include "test/support/sides.h"
#include "test/sync/refusal.h"
#include "test/sync/scene.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace TEFF_NAMESPACE::testing_fiber {
namespace {

using testing_sync::in_a_task;
using testing_sync::pool_names;
namespace supply = platform::stack_supply;

#if defined(TEFF_ADDRESS_SANITIZER) || defined(TEFF_THREAD_SANITIZER)
constexpr bool instrumented = true;  ///< frames are larger, and ThreadSanitizer bears 8,000 fibers
#else
constexpr bool instrumented = false;
#endif

/// Whether a program runs that needs memory and address space of its own for what the tests do with theirs.
[[maybe_unused]] bool under_valgrind() {
#if __has_include(<valgrind/valgrind.h>)
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

/// Plants refusals and limits for a scope.
struct planted {
  explicit planted(std::int64_t requests_until_refusal, std::size_t guarded_at_most = supply::guarded_at_most) {
    supply::plan_refusal(requests_until_refusal);
    supply::plan_guarded_at_most(guarded_at_most);
  }
  ~planted() {
    supply::plan_refusal(-1);
    supply::plan_guarded_at_most(supply::guarded_at_most);
  }
  planted(const planted&) = delete;
  planted& operator=(const planted&) = delete;
};

/// Effect: as many tasks as it says are set aside at once, then go on in any order.
void gather(context& here, unsigned tasks) {
  gathering place(tasks);
  platform::atomic<unsigned> went_on{0};
  task_group group;
  for (unsigned task = 0; task < tasks; ++task) {
    group.put(here, [&](context& own) {
      place.join(own);
      went_on.fetch_add(1, platform::relaxed);
    });
  }
  group.wait(here);
  EXPECT_EQ(went_on.load(platform::relaxed), tasks);
}

TEST(stacks, are_used_again) {
  constexpr unsigned at_once = 100, kept_by_two_workers = 2 * 16 + 4;
  const supply::census before = supply::count();
  in_a_task({.workers = 2}, 3, [](context& here) {
    for (unsigned round = 0; round < 20; ++round) gather(here, at_once);
  });
  EXPECT_LE(supply::count().guarded, before.guarded + at_once + kept_by_two_workers);
  EXPECT_EQ(supply::count().plain, before.plain);
}

/// As many as there are already, at least four, at most sixteen, and no more than in a MiB or than are allowed.
TEST(stacks, are_mapped_some_at_once) {
  constexpr std::size_t unusual = 52 * 1024, large = 600 * 1024;
  std::vector<platform::stack_piece> taken;
  const auto takes = [&](std::size_t bytes) {
    const std::size_t before = supply::count().guarded;
    taken.push_back(supply::take(bytes));
    EXPECT_TRUE(taken.back().guarded);
    return supply::count().guarded - before;
  };
  const auto takes_mapped = [&](unsigned times) {
    for (unsigned time = 0; time < times; ++time) EXPECT_EQ(takes(unusual), 0u);
  };
  EXPECT_EQ(takes(unusual), 4u);
  takes_mapped(3);
  EXPECT_EQ(takes(unusual), 4u);
  takes_mapped(3);
  EXPECT_EQ(takes(unusual), 8u);
  takes_mapped(7);
  EXPECT_EQ(takes(unusual), 16u);
  takes_mapped(15);
  {
    const planted limit(-1, supply::count().guarded + 2);
    EXPECT_EQ(takes(unusual), 2u);
  }
  EXPECT_EQ(takes(large), 1u);
  for (std::size_t number = 0; number < taken.size(); ++number)
    std::memset(taken[number].bottom, static_cast<int>(number), taken[number].bytes);
  for (std::size_t number = 0; number < taken.size(); ++number) {
    const auto* const bytes = static_cast<const unsigned char*>(taken[number].bottom);
    EXPECT_TRUE(std::all_of(bytes, bytes + taken[number].bytes, [number](unsigned char byte) { return byte == number; }))
        << "nobody else's";
    supply::give_back(taken[number]);
  }
}

#if !defined(TEFF_SIMULATED) && !defined(TEFF_ADDRESS_SANITIZER) && !defined(TEFF_THREAD_SANITIZER)
TEST(stacks, that_are_mapped_ahead_have_their_first_page) {
  const platform::stack_piece piece = supply::take(44 * 1024);
  unsigned char is_there = 0;
  ASSERT_EQ(mincore(piece.top() - 4096, 4096, &is_there), 0);
  EXPECT_EQ(is_there & 1, 1);
  ASSERT_EQ(mincore(piece.bottom, 4096, &is_there), 0);
  EXPECT_EQ(is_there & 1, 0) << "nor more than that";
  supply::give_back(piece);
}

TEST(stacks, are_mapped_one_by_one_where_the_system_refuses_more) {
  if (under_valgrind()) GTEST_SKIP() << "which needs address space of its own";
  constexpr std::size_t bytes = 512 * 1024;  // two of them at once
  const rlimit before = testing_support::leave_address_space_of(bytes + bytes / 2);
  const std::size_t guarded = supply::count().guarded;
  const platform::stack_piece piece = supply::take(bytes);
  const std::size_t more = supply::count().guarded - guarded;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(piece.guarded);
  EXPECT_EQ(more, 1u);
  if (piece) supply::give_back(piece);
}
#endif

TEST(stacks, of_tasks_that_ended_are_kept_by_their_worker) {
  in_a_task({.workers = 1}, 3, [](context& here) {
    gather(here, 10);
    const planted none(0);
    EXPECT_TRUE(step_aside(here)) << "the worker keeps stacks that it need not ask for";
    task_group group;
    unsigned went_on = 0;
    for (unsigned task = 0; task < 5; ++task) group.put(here, [&](context& own) { went_on += step_aside(own) ? 1 : 0; });
    group.wait(here);
    EXPECT_EQ(went_on, 5u);
  });
}

TEST(stacks, have_64_kib_unless_something_else_is_asked_for) {
  EXPECT_EQ(pool::settings{}.stack, 64u * 1024);
  in_a_task({.pool = "sq4", .workers = 1}, 1, [](context& here) {
    task_group group;
    group.put(here, [](context& own) { EXPECT_EQ(own.current().carrier->running()->memory.bytes, 64u * 1024); });
    group.wait(here);
  });
}

#if !defined(TEFF_SIMULATED) && !defined(TEFF_ADDRESS_SANITIZER) && !defined(TEFF_THREAD_SANITIZER)
/// Returns: pages of this process that are in memory.
std::int64_t resident_pages() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(stacks, take_memory_where_they_are_touched) {
  if (under_valgrind()) GTEST_SKIP() << "whose own memory counts";
  static constexpr unsigned tasks = 1'000;
  in_a_task({.pool = "sq4", .workers = 1}, 1, [](context& here) {
    gathering place(tasks);
    unsigned came = 0;
    std::int64_t before = resident_pages(), blocked = 0;
    task_group group;
    for (unsigned task = 0; task < tasks; ++task) {
      group.put(here, [&](context& own) {
        if (++came == tasks) blocked = resident_pages();
        place.join(own);
      });
    }
    group.wait(here);
    EXPECT_LE(blocked - before, 3 * static_cast<std::int64_t>(tasks));
  });
}
#endif

TEST(stacks, past_the_limit_have_no_guard_pages) {
  const planted limit(-1, supply::count().guarded);
  const std::size_t before = supply::count().plain;
  in_a_task({.workers = 2}, 1, [](context& here) { gather(here, 3'000); });
  EXPECT_GE(supply::count().plain, before + 1'000);
  in_a_task({.workers = 2}, 1, [](context& here) { gather(here, 3'000); });
}

/// Effect: a run of `body` on a team whose fibers have stacks of that size.
template <class Pool>
void on_stacks_of(std::size_t bytes, unsigned workers, const std::function<void(context&)>& body) {
  const auto once = [&] {
    conformance::script tasks;
    conformance::step& root = tasks.add([&](worker& current) { body(*current.here); });
    auto on = make_team<Pool>(workers);
    on.stack_bytes = bytes;
    on.init(root.as_task());
    EXPECT_EQ(on.run(), workers::run_result::finished);
  };
#ifdef TEFF_SIMULATED
  sim::options options;
  options.processors_at_most = workers;
  const sim::outcome ended = sim::simulate(options, once);
  EXPECT_TRUE(ended.ok()) << ended.report;
#else
  once();
#endif
}

constexpr std::size_t smallest = instrumented ? 8 * supply::least_bytes : supply::least_bytes;
constexpr unsigned very_many = instrumented ? 2'000 : 20'000;

TEST(stacks, of_the_smallest_size_very_many_wait_at_once) {
  on_stacks_of<pool::sq1>(smallest, 2, [](context& here) { gather(here, very_many); });
  on_stacks_of<pool::sq4>(smallest, 2, [](context& here) { gather(here, very_many); });
  on_stacks_of<pool::dq8>(smallest, 2, [](context& here) { gather(here, very_many); });
}

TEST(stacks, that_were_never_needed_were_never_made) {
  testing_runtime::on_this_side(2, [] {
    team tested({.workers = 2});
    testing_runtime::tree program(6);
    program.start(tested);
    tested.run();
    EXPECT_LE(tested.stats().peak_fibers, 2u) << "one for each worker that came";
    tested.init([](context& here) { gather(here, 50); });
    tested.run();
    EXPECT_GE(tested.stats().peak_fibers, 50u);
    tested.reset_stats();
    EXPECT_LE(tested.stats().peak_fibers, 40u) << "those that the workers keep";
  });
}

TEST(stacks, that_exist_at_once_are_the_peak_whosever_they_are) {
  testing_support::on_this_side([] {
    auto on = make_team<pool::sq1>(2);
    testing_support::crew staff(2);
    std::vector<fibers::fiber*> made;
    const auto make = [&](unsigned id, unsigned count) {
      for (; count > 0; --count) made.push_back(fibers::make(on, staff[id], supply::least_bytes, nullptr));
    };
    const auto destroy_all = [&] {
      for (fibers::fiber* const each : made) fibers::destroy(*each);
      made.clear();
    };
    make(0, 10);
    destroy_all();
    make(1, 7);
    EXPECT_EQ(on.all.peak(), 10u) << "those of worker 0 were gone when worker 1 had some";
    make(0, 5);
    EXPECT_EQ(on.all.peak(), 12u) << "of both";
    on.all.reset_peak();
    EXPECT_EQ(on.all.peak(), 12u) << "they exist";
    destroy_all();
    on.all.reset_peak();
    EXPECT_EQ(on.all.peak(), 0u);
  });
}

/// In each round a run stands still whose task is on the fiber with which runs begin; in the next one, which needs another such
/// fiber, that task goes on. Fibers that nobody takes again would become more with each round.
TEST(stacks, with_which_runs_begin_are_all_used_again) {
  struct : fibers::awaited {
    const char* kind() const noexcept override { return "the next run"; }
    bool only_tasks_end_it() const noexcept override { return true; }
  } next_run;
  constexpr unsigned rounds = 60, kept = 8 + 16;  // by the worker, and by the team
  ::testing::internal::CaptureStderr();
  testing_runtime::on_this_side(1, [&] {
    team tested({.workers = 1});
    std::size_t alive = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      fibers::fiber* aside = nullptr;
      bool went_on = false;
      tested.init([&](context& here) {
        aside = here.current().carrier->running();
        EXPECT_NE(aside->base, nullptr) << "else this is no test";
        here.current().carrier->suspend(next_run, [](void*) {}, nullptr);
        went_on = true;
      });
      EXPECT_THROW(tested.run(), deadlock_error);
      tested.init([&](context&) { aside->home.make_ready(*aside); });
      tested.run();
      EXPECT_TRUE(went_on);
      alive = 0;
      aside->home.all.for_each([&](const fibers::fiber&) { ++alive; });
    }
    EXPECT_LE(alive, kept + 1) << "and the one with which the next run begins";
  });
  ::testing::internal::GetCapturedStderr();
}

/// A fiber is made where neither its worker nor the team has an idle one: beside those in use there are then what the other
/// workers keep, eight each.
TEST(stacks, that_one_worker_has_finished_with_are_taken_by_another) {
  constexpr unsigned workers = 4, together = 12, rounds = 40;
  testing_runtime::on_this_side(workers, [] {
    for (const char* pool : {"sq1", "dq8", "teff"}) {
      team tested({.pool = pool, .workers = workers});
      for (unsigned round = 0; round < rounds; ++round) {
        tested.init([](context& here) { gather(here, together); });
        tested.run();
      }
      // Tasks that wait, their parent, and a fiber for each worker twice: its first one, and one that it has just taken.
      EXPECT_LE(tested.stats().peak_fibers, together + 1 + 2 * workers + 8 * (workers - 1)) << pool;
    }
  });
}

unsigned fib(context& here, unsigned n) {
  if (n < 2) return n;
  unsigned one_before = 0, two_before = 0;
  task_group both;
  both.put(here, [&one_before, n](context& child) { one_before = fib(child, n - 1); });
  both.put(here, [&two_before, n](context& child) { two_before = fib(child, n - 2); });
  both.wait(here);
  return one_before + two_before;
}

TEST(stacks, that_are_refused_leave_a_waiting_task_its_worker) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u}) {
      SCOPED_TRACE(pool + " on " + std::to_string(workers));
      // None at all; those of the workers, and no more.
      for (const std::int64_t given : {std::int64_t{0}, std::int64_t{workers}, std::int64_t{workers} + 3}) {
        in_a_task({.pool = pool, .workers = workers}, 5, [given](context& here) {
          const planted refusal(given);
          EXPECT_EQ(fib(here, 8), 21u);
        });
      }
    }
  }
}

TEST(stacks, that_are_refused_from_the_begin_leave_the_threads_own) {
  for (const std::string& pool : pool_names()) {
    const planted refusal(0);
    in_a_task({.pool = pool, .workers = 2}, 5, [](context& here) { EXPECT_EQ(fib(here, 8), 21u); });
  }
}

/// A worker that runs on its thread's own stack goes on with what one that has a stack set aside, and from then on has that one.
TEST(stacks, that_are_refused_to_some_workers_do_not_keep_them_from_those_of_others) {
  for (const char* pool : {"sq1", "sq4"}) {  // where the worker with a stack finds the task that ends the waits
    for (const std::int64_t given : {1, 2}) {
      SCOPED_TRACE(std::string(pool) + ", given " + std::to_string(given));
      testing_sync::in_a_task_given(given, {.pool = pool, .workers = 3}, 20, [](context& here) {
        for (unsigned round = 0; round < 20; ++round) {
          task_group group;
          event go;
          for (unsigned task = 0; task < 4; ++task) group.put(here, [&] { go.wait(); });
          group.put(here, [&] { go.set(); });
          group.wait(here);
        }
      });
    }
  }
}

/// A task that was set aside in a run that could not end goes on in another one, in which some worker has no stack: its own went
/// with the task.
void go_on_in_another_run(const std::string& pool) {
  struct : fibers::awaited {
    const char* kind() const noexcept override { return "another run"; }
    bool only_tasks_end_it() const noexcept override { return true; }
  } another_run;
  fibers::fiber* aside = nullptr;
  bool went_on = false;
  team tested({.pool = pool, .workers = 4});
  tested.init([&](context& here) {
    aside = here.current().carrier->running();
    here.current().carrier->suspend(another_run, [](void*) {}, nullptr);
    went_on = true;
  });
  EXPECT_THROW(tested.run(), deadlock_error);
  const planted refusal(0);
  tested.init([&](context&) { aside->home.make_ready(*aside); });
  tested.run();
  EXPECT_TRUE(went_on);
}

TEST(stacks, that_are_refused_leave_a_worker_what_others_set_aside) {
  ::testing::internal::CaptureStderr();
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
#ifdef TEFF_SIMULATED
    for (std::uint64_t seed = 1; seed <= 50 && !::testing::Test::HasFailure(); ++seed) {
      sim::options simulated;
      simulated.processors_at_most = 8;
      simulated.strategy = sim::strategy::random;
      simulated.seed = seed;
      const sim::outcome outcome = sim::simulate(simulated, [&] { go_on_in_another_run(pool); });
      EXPECT_TRUE(outcome.ok()) << "seed " << seed << "\n" << outcome.report;
    }
#else
    for (unsigned round = 0; round < 50; ++round) go_on_in_another_run(pool);
#endif
  }
  ::testing::internal::GetCapturedStderr();
}

#ifndef TEFF_SIMULATED
TEST(stacks_death, a_refusal_is_said_once) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process to which nothing has been said yet
  const auto refuse_often = [] {
    const planted refusal(0);
    for (unsigned run = 0; run < 5; ++run) in_a_task({.pool = "sq4", .workers = 2}, 1, [](context& here) { fib(here, 6); });
    std::fprintf(stderr, "end");
    std::_Exit(0);
  };
  EXPECT_EXIT(refuse_often(), ::testing::ExitedWithCode(0), "^teff: the system refused a stack: [^:]*end$");
}

#if !defined(TEFF_ADDRESS_SANITIZER) && !defined(TEFF_THREAD_SANITIZER)
/// In breadth it takes some thousand stacks: ten times the address space that there is.
TEST(stacks_death, no_address_space_left_is_said_once_and_the_run_ends) {
  if (under_valgrind()) GTEST_SKIP() << "which needs the address space";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto use_up = [] {
    testing_support::leave_address_space_of(64u << 20);
    in_a_task({.pool = "sq4", .workers = 1}, 1, [](context& here) {
      if (fib(here, 20) != 6'765) std::_Exit(1);
    });
    std::fprintf(stderr, "end");
    std::_Exit(0);
  };
  EXPECT_EXIT(use_up(), ::testing::ExitedWithCode(0), "^teff: the system refused a stack: [^:]*end$");
}

/// Calls itself: deeper than any stack.
[[gnu::noinline]] std::uint64_t descend(std::uint64_t depth) {
  volatile char room[256];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : descend(depth - 1) + static_cast<std::uint64_t>(room[0]);
}

/// Touches memory that is not there.
void touch_nothing() {
  volatile std::uintptr_t address = 64;
  *reinterpret_cast<volatile int*>(address) = 1;
}

/// Two tasks one of which waits, so that the other one has a stack of the size that was asked for.
void overflow_a_guarded_stack() {
  team on({.pool = "sq4", .workers = 1, .settings = {"stack=32K"}});
  on.init([](context& here) {
    task_group group;
    group.put(here, [](context&) {
      this_task::set_name("too deep");
      descend(100'000'000);
    });
    group.wait(here);
  });
  on.run();
}

TEST(stacks_death, an_overflow_of_a_guarded_stack_names_the_task_and_the_setting) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char* const sentence =
      "^teff: task 'too deep' used more than the 32768 bytes of its stack: ask for more with the setting stack=131072\n$";
  EXPECT_EXIT(overflow_a_guarded_stack(), ::testing::KilledBySignal(SIGSEGV), sentence);
}

TEST(stacks_death, other_faults_go_to_the_handler_that_was_there_before) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto touch = [] {
    std::signal(SIGSEGV, [](int) { std::_Exit(77); });
    const team installs_its_own({.workers = 1});
    touch_nothing();
  };
  EXPECT_EXIT(touch(), ::testing::ExitedWithCode(77), "^$");
}

TEST(stacks_death, other_faults_end_the_program_as_ever) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto touch = [] {
    const team installs_its_own({.workers = 1});
    touch_nothing();
  };
  EXPECT_EXIT(touch(), ::testing::KilledBySignal(SIGSEGV), "^$");
}

TEST(stacks_death, an_overflow_without_a_guard_page_is_said_at_the_next_switch) {
  const auto overflow = [] {
    on_stacks_of<pool::sq4>(8 * 1024, 1, [](context& here) {
      task_group group;
      for (unsigned task = 0; task < 2; ++task) {
        group.put(here, [](context& own) {
          step_aside(own);
          // What a frame that is a little too large writes.
          *static_cast<volatile char*>(static_cast<const worker*>(platform::current())->carrier->running()->memory.bottom) = 1;
          step_aside(own);
        });
      }
      group.wait(here);
    });
  };
  EXPECT_DEATH(overflow(), "used more than the 8192 bytes of its stack.*stack=32768");
}
#endif
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_fiber
