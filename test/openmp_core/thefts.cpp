// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When members take tasks from one another, in which order, and how they show what they keep, by virtual time with the constants
/// of programs. Simulated only.
#include "constructs.h"
#include "platform/tuning.h"
#include "scenes.h"

#include <gtest/gtest.h>

#include <array>

namespace TEFF_NAMESPACE::testing_openmp {
namespace {

constexpr std::uint64_t schedules_by_time = 20;

/// Effect: expects that the scene is right on pool teff, by two members.
void expect_right(void (*scene_of_two)(unsigned members)) {
  const scene played{"thefts", 2, scene_of_two, true, false, true};
  for (std::uint64_t schedule = 1; schedule <= schedules_by_time; ++schedule)
    ASSERT_EQ(play({played, "teff", schedule}), "") << schedule;
}

/// Returns: how long it takes, in ns, that member 0 makes tasks by make(), and all have run, while the others wait in a barrier.
template <class Make>
std::uint64_t time_of(unsigned members, Make make) {
  std::uint64_t lasted = 0;
  parallel(members, [&] {
    if (number() != 0) return;
    task([] {});
    platform::charge(200'000);  // by now the others are there
    const std::uint64_t begun = platform::now_ns();
    make();
    lasted = platform::now_ns() - begun;
  });
  return lasted;
}

/// Effect: makes one task after the other, each when somebody else has run the one before.
template <unsigned Count, unsigned Cycles>
void make_one_by_one() {
  counter ran{0};
  for (unsigned each = 1; each <= Count; ++each) {
    task([&ran] {
      platform::charge(Cycles);
      add(ran);
    });
    await(ran, each);
  }
}

void brief_tasks(unsigned members) {
  constexpr unsigned thefts = 20;
  const std::uint64_t lasted = time_of(members, make_one_by_one<thefts, 10>);
  const std::uint64_t apart = tuning::thefts_apart_ns;
  expect(lasted > apart * thefts / 2, "a member takes brief tasks one by one as they come");
  expect(lasted < 2 * apart * thefts, "a member leaves brief tasks alone for longer than it may");
}
TEST(thefts, of_brief_tasks_are_apart) { expect_right(brief_tasks); }

void long_tasks(unsigned members) {
  constexpr unsigned thefts = 20, cycles = 3'000, cycles_per_us = 3'000;
  const std::uint64_t lasted = time_of(members, make_one_by_one<thefts, cycles>);
  expect(lasted < thefts * (cycles / cycles_per_us + 1) * 1'000, "a member does not take long tasks as they come");
}
TEST(thefts, of_long_tasks_are_not) { expect_right(long_tasks); }

/// A long task that is made while the others are at brief ones, by who then works as long itself.
template <unsigned Count, unsigned Cycles>
void make_behind_brief_ones() {
  counter ran{0};
  for (unsigned each = 1; each <= Count; ++each) {
    for (unsigned brief = 0; brief < 3; ++brief) task([] { platform::charge(100); });
    task([&ran] {
      platform::charge(Cycles);
      add(ran);
    });
    platform::charge(Cycles);
    GOMP_taskwait();
    expect(read(ran) == each, "a taskwait let its task go before a child had ended");
  }
}

void long_tasks_that_are_kept(unsigned members) {
  constexpr unsigned count = 3, cycles = 900'000, cycles_per_us = 3'000;
  const std::uint64_t lasted = time_of(members, make_behind_brief_ones<count, cycles>);
  expect(lasted < count * (cycles / cycles_per_us) * 1'500, "a member does not take long tasks that another one keeps");
}
TEST(thefts, of_long_tasks_that_are_kept_come_soon) { expect_right(long_tasks_that_are_kept); }

/// Brief ones first: then a long one comes late once, and those behind it hardly.
void long_tasks_behind_brief_ones(unsigned members) {
  time_of(members, [] {
    make_one_by_one<20, 10>();
    const std::uint64_t begun = platform::now_ns();
    make_one_by_one<20, 3'000>();
    expect(platform::now_ns() - begun < 20 * 2'000 + 3 * tuning::thefts_apart_ns, "a member goes on leaving tasks alone");
  });
}
TEST(thefts, come_again_when_tasks_get_longer) { expect_right(long_tasks_behind_brief_ones); }

constexpr unsigned in_a_burst = 40;
void make_a_burst() {
  for (unsigned each = 0; each < in_a_burst; ++each) task([] { platform::charge(20'000); });
}

/// Its maker runs them in a wait for its children.
void a_burst_and_a_taskwait(unsigned members) {
  const auto make = [] {
    make_a_burst();
    GOMP_taskwait();
  };
  expect(10 * time_of(members, make) < 7 * time_of(1, make), "a member that waits for its children keeps them to itself");
}
TEST(bursts, are_shared_in_a_taskwait) { expect_right(a_burst_and_a_taskwait); }

/// Its maker runs them in the barrier.
void a_burst_and_a_barrier(unsigned members) {
  std::uint64_t lasted[2] = {};
  for (const unsigned by : {1u, members}) {
    parallel(by, [&] {
      platform::charge(200'000);
      GOMP_barrier();
      const std::uint64_t begun = platform::now_ns();
      if (number() == 0) make_a_burst();
      GOMP_barrier();
      if (number() == 0) lasted[by - 1] = platform::now_ns() - begun;
    });
  }
  expect(10 * lasted[1] < 7 * lasted[0], "a member in a barrier keeps its tasks to itself");
}
TEST(bursts, are_shared_in_a_barrier) { expect_right(a_burst_and_a_barrier); }

/// Each spins until the one before has run.
void tasks_that_await_older_ones(unsigned members) {
  std::array<counter, 201> done{};
  const unsigned last = members == 1 ? tuning::enough_tasks_per_member : unsigned{done.size() - 1};
  raise(done[0]);
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 1; each <= last; ++each) {
        task([&done, each] {
          await(done[each - 1]);
          raise(done[each]);
        });
      }
    });
  });
  expect(read(done[last]) == 1, "a task that awaits older ones did not run");
}
/// Not what OpenMP promises: that members take tasks which leave none behind in the order in which these were made.
TEST(order, is_that_of_tasks_that_make_no_others) {
  for (const unsigned members : {1u, 2u, 3u, 4u}) {
    for (const bool many_at_once : {false, true}) {  // as thieves take them by the constants of programs
      const scene played{"older tasks", members, tasks_that_await_older_ones, true, false, many_at_once};
      for (std::uint64_t schedule = 1; schedule <= 100; ++schedule)
        ASSERT_EQ(play({played, "teff", schedule}), "") << members << " members, schedule " << schedule;
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_openmp
