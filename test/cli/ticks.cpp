// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ticks that `teff run --stats` makes, as processes below it find them.
#include "cli/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <unistd.h>

namespace teff::cli {
namespace {

region_ticks ticks_in(const os::region_counter& counter) {
  region_count found{};
  EXPECT_EQ(::pread(counter.descriptor(), &found, sizeof found, 0), static_cast<ssize_t>(sizeof found));
  EXPECT_EQ(found.mark, region_count_mark);
  return found.ticks;
}

TEST(ticks, have_numbers_and_the_time_since_the_one_before) {
  os::region_counter counter;
  ASSERT_EQ(counter.error(), 0);
  EXPECT_EQ(ticks_in(counter).number, 0);
  constexpr std::uint64_t many = region_ticks::kept + 3;
  std::uint64_t apart_ns[many + 1] = {}, sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t number = 1; number <= many; ++number) {
    counter.tick();
    const region_ticks now = ticks_in(counter);
    ASSERT_EQ(now.number, number);
    sum += apart_ns[number] = now.apart_ns[number % region_ticks::kept];
    EXPECT_GT(apart_ns[number], 0);
    if (number == 1) sum = 0;  // there is none before
    for (std::uint64_t before = number - std::min(number, region_ticks::kept - 1); before <= number; ++before)
      EXPECT_EQ(now.apart_ns[before % region_ticks::kept], apart_ns[before]) << before << " at " << number;
  }
  const std::chrono::nanoseconds lasted = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(sum, static_cast<std::uint64_t>(lasted.count()));
}

}  // namespace
}  // namespace teff::cli
