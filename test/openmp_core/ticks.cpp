// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ticks of a `teff run --stats` that the process has below it, or of nobody.
#include "compat/openmp/ticks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {
namespace {

constexpr std::uint64_t tick_number = 1'000;

/// As `teff run --stats` leaves it after so many ticks: the one with number n came n us after the one before.
region_count after_ticks(std::uint64_t many) {
  region_count made{};
  made.ticks.number = many;
  for (std::uint64_t number = many - std::min(many, region_ticks::kept - 1); number <= many; ++number)
    made.ticks.apart_ns[number % region_ticks::kept] = number * 1'000;
  return made;
}

TEST(ticks, are_the_last_starters_that_makes_some) {
  region_count outer = after_ticks(tick_number), inner = after_ticks(2 * tick_number), silent = after_ticks(0);
  tick_source looked;
  looked.take(silent);
  EXPECT_FALSE(looked.is_mostly_behind(0, 2 * tick_ns - 1));
  EXPECT_TRUE(looked.is_mostly_behind(0, 2 * tick_ns));
  looked.take(outer);
  EXPECT_EQ(looked.last(), tick_number);
  looked.take(inner);
  looked.take(silent);
  EXPECT_EQ(looked.last(), 2 * tick_number);
  ++inner.ticks.number;
  EXPECT_EQ(looked.last(), 2 * tick_number + 1);
}

TEST(ticks, say_whose_a_time_was_by_how_long_the_next_one_took) {
  region_count starter = after_ticks(tick_number);
  tick_source looked;
  looked.take(starter);
  for (const std::uint64_t before : {tick_number - 1, tick_number - 15, tick_number - 100}) {
    EXPECT_FALSE(looked.is_mostly_behind(before, 2'000 * (before + 1) - 1)) << before;
    EXPECT_TRUE(looked.is_mostly_behind(before, 2'000 * (before + 1))) << before;
  }
}

TEST(ticks, say_whose_a_time_was_if_there_were_more_than_are_kept) {
  region_count starter = after_ticks(tick_number + region_ticks::kept);
  tick_source looked;
  looked.take(starter);
  constexpr std::uint64_t since_next_ns = (region_ticks::kept - 1) * region_ticks::least_apart_ns;
  EXPECT_TRUE(looked.is_mostly_behind(tick_number, 2 * since_next_ns));
  EXPECT_FALSE(looked.is_mostly_behind(tick_number, 2 * since_next_ns + 1));
  EXPECT_TRUE(looked.is_mostly_behind(tick_number + 1, 2'000 * (tick_number + 2)));  // the last one of which that is known
}

TEST(ticks, are_given_up_if_none_came) {
  region_count starter = after_ticks(tick_number);
  tick_source looked;
  looked.take(starter);
  ++starter.ticks.number;
  looked.give_up(tick_number);
  EXPECT_EQ(looked.last(), tick_number + 1);
  looked.give_up(tick_number + 1);
  ++starter.ticks.number;
  EXPECT_NE(looked.last(), tick_number + 2);
  EXPECT_FALSE(looked.is_mostly_behind(tick_number, 1'000 * tick_ns));  // the next one may have come late
  EXPECT_TRUE(looked.is_mostly_behind(1'000'000'000'000, 2 * tick_ns));
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
