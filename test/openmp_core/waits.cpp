// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long a member has waited, and when it no longer gives its processor away.
#include "compat/openmp/wait_rounds.h"

#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::openmp {
namespace {

TEST(wait_rounds, step_by_step_are_multiples_and_powers_as_numbers_are) {
  wait_rounds rounds{1'000, nullptr};
  for (unsigned number = 0; number < 300; ++number, rounds.pass()) {
    EXPECT_EQ(rounds.have_multiple_of(8), number % 8 == 0) << number;
    EXPECT_EQ(rounds.have_power_of_two(), (number & (number - 1)) == 0) << number;
  }
}

TEST(wait_rounds, that_pass_at_once_leave_out_nothing) {
  for (unsigned from = 0; from < 40; ++from) {
    for (unsigned count = 1; count < 40; ++count) {
      yield_gauge gauge(2);
      wait_rounds rounds{wait_rounds::for_ever, &gauge};
      if (from != 0) rounds.begin_at(from - 1);
      if (from != 0) rounds.pass_away(std::uint64_t{count - 1} * tuning::ns_per_long_round);
      bool multiple = false, power = false;
      for (unsigned number = from; number < from + (from != 0 ? count : 1); ++number) {
        multiple |= number % 8 == 0;
        power |= (number & (number - 1)) == 0;
      }
      EXPECT_EQ(rounds.have_multiple_of(8), multiple) << from << " + " << count;
      EXPECT_EQ(rounds.have_power_of_two(), power) << from << " + " << count;
    }
  }
}

TEST(wait_rounds, that_took_long_bring_a_look_by_force) {
  yield_gauge gauge(2);
  wait_rounds rounds{wait_rounds::for_ever, &gauge};
  unsigned looks = 0;
  for (unsigned slice = 0; slice < 4 * tuning::first_force; ++slice) {
    rounds.pass_away(4'000'000);
    looks += rounds.are_time_to_force() ? 1 : 0;
  }
  EXPECT_GT(looks, 6u);
  EXPECT_TRUE(rounds.may_spin());
}

TEST(wait_rounds, bring_looks_for_kept_tasks_ever_more_seldom) {
  wait_rounds rounds{wait_rounds::for_ever, nullptr};
  for (unsigned number = 0; number < 1'000; ++number, rounds.pass()) {
    const bool is_power = (number & (number - 1)) == 0;
    const unsigned first = tuning::first_for_kept_tasks;
    EXPECT_EQ(rounds.are_for_kept_tasks(false), is_power && number >= first) << number;
    EXPECT_EQ(rounds.are_for_kept_tasks(true), number % first == 0 && number >= first) << number;
  }
}

TEST(wait_rounds, of_waits_that_soon_sleep_are_counted_one_by_one) {
  yield_gauge gauge(2);
  wait_rounds rounds{10, &gauge};
  for (unsigned slice = 0; slice < 10; ++slice, rounds.pass_away(4'000'000)) EXPECT_TRUE(rounds.may_spin());
  EXPECT_FALSE(rounds.may_spin());
}

TEST(wait_rounds, behind_a_sleep_begin_at_1_or_not_far_from_the_next_one) {
  wait_rounds rounds{1'000, nullptr};
  rounds.begin_behind_sleep(false);
  EXPECT_FALSE(rounds.are_before(1));
  EXPECT_TRUE(rounds.are_before(2));
  rounds.begin_behind_sleep(true);
  unsigned left = 0;
  for (; rounds.may_spin(); rounds.pass()) ++left;
  EXPECT_EQ(left, (tuning::crowded_spin_rounds + 1) / 2 - 1);  // none with the constants of tests
  for (const unsigned limit : {0u, 1u}) {
    wait_rounds few{limit, nullptr};
    few.begin_behind_sleep(true);
    EXPECT_FALSE(few.may_spin()) << limit;
  }
}

/// A gauge of a team on two processors, and the time that passes for it.
struct member_beside_others {
  yield_gauge gauge{2};
  std::uint64_t now = 1'000'000'000, ran = 0;

  /// Effect: the processor is away for a fifth of what it takes to judge, and threads of the process run for so many halves of
  /// that. Returns: whether it still pays to give it away.
  bool is_away(unsigned halves) {
    const std::uint64_t slice = tuning::gauged_ns / 5;
    now += slice;
    ran += halves * slice / 2;
    gauge.round_was_long(now, ran);
    return gauge.pays(now);
  }
  /// Effect: others have processors until it is seen. Returns: for how long it does not pay then.
  std::uint64_t pause_by_others() {
    for (unsigned slices = 0; is_away(3); ++slices) EXPECT_LT(slices, 12u);
    return pause();
  }
  std::uint64_t pause() {
    const std::uint64_t begun = now;
    while (!gauge.pays(now)) now += 1'000'000;
    return now - begun;
  }
};

TEST(yield_gauge, goes_on_while_members_have_the_processors) {
  member_beside_others own;
  for (unsigned slices = 0; slices < 100; ++slices) EXPECT_TRUE(own.is_away(4)) << slices;
}

TEST(yield_gauge, does_not_judge_by_a_few_ticks) {
  member_beside_others own;
  for (unsigned slices = 0; slices < 10; ++slices) own.is_away(4);
  EXPECT_TRUE(own.is_away(2)) << "what the other processor did comes a tick late";
  EXPECT_TRUE(own.is_away(6));
  for (unsigned slices = 0; slices < 10; ++slices) EXPECT_TRUE(own.is_away(4)) << slices;
}

TEST(yield_gauge, knows_nothing_of_long_ago) {
  member_beside_others own;
  own.pause_by_others();
  own.now += 100 * std::uint64_t{tuning::gauged_ns};
  EXPECT_TRUE(own.is_away(0));
}

TEST(yield_gauge, goes_by_the_next_times_where_the_process_has_begun_anew) {
  member_beside_others own;
  own.ran = 1'000'000'000;
  own.pause_by_others();
  own.ran = 0;  // in a child of fork()
  own.pause_by_others();
}

TEST(yield_gauge, gives_up_for_longer_each_time_that_others_have_them) {
  member_beside_others own;
  std::uint64_t before = 0;
  for (unsigned time = 0; time < 3; ++time) {
    const std::uint64_t pause = own.pause_by_others();
    EXPECT_GT(pause, before);
    before = pause;
  }
  for (unsigned time = 0; time < 5; ++time) own.pause_by_others();
  EXPECT_EQ(own.pause_by_others(), tuning::yields_paused_at_most_ns);
}

TEST(yield_gauge, comes_back_where_nobody_has_them_any_more) {
  member_beside_others own;
  for (unsigned time = 0; time < 8; ++time) own.pause_by_others();
  std::uint64_t slept = 0;
  unsigned times = 0;
  do {
    own.gauge.round_was_quick(own.now);
    ASSERT_LT(++times, 100u);
    slept += own.pause();
  } while (!own.gauge.pays(own.now) || times < 40);
  EXPECT_LT(slept, 10 * std::uint64_t{tuning::yields_paused_at_most_ns});
  own.gauge.round_was_quick(own.now);
  EXPECT_TRUE(own.gauge.pays(own.now));
}

/// A wait that gives the processor away asks for it when it begins, behind a sleep and behind something that was done.
TEST(wait_rounds, sleep_while_others_have_the_processors) {
  member_beside_others own;
  own.now = platform::now_ns();
  for (unsigned time = 0; time < 8; ++time) own.pause_by_others();
  for (unsigned slices = 0; own.is_away(3); ++slices) ASSERT_LT(slices, 12u);  // by now it does not pay for a second from then on
  wait_rounds rounds{40, &own.gauge};
  EXPECT_FALSE(rounds.may_spin());
  rounds.begin_behind_sleep(false);
  EXPECT_FALSE(rounds.may_spin());
  own.gauge = yield_gauge{2};
  EXPECT_FALSE(rounds.may_spin());
  rounds.begin_at(0);
  EXPECT_TRUE(rounds.may_spin());
  wait_rounds for_ever{wait_rounds::for_ever, &own.gauge};
  EXPECT_TRUE(for_ever.may_spin());
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
