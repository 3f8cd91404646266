// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every scene on every pool: natively, where sanitizers look at it, and in simulation under some schedules.
#include "scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace TEFF_NAMESPACE::testing_openmp {
namespace {

#ifdef TEFF_SIMULATED
constexpr std::uint64_t schedules = 200;
#else
constexpr std::uint64_t schedules = 5;
#endif

class scenes_of_openmp : public ::testing::TestWithParam<scene> {};

TEST_P(scenes_of_openmp, end_right) {
  for (const char* pool : pools) {
    if (!GetParam().is_for(pool)) continue;
    for (std::uint64_t schedule = 1; schedule <= schedules; ++schedule)
      ASSERT_EQ(play({GetParam(), pool, schedule}), "") << "on " << pool << ", schedule " << schedule;
  }
}

INSTANTIATE_TEST_SUITE_P(core, scenes_of_openmp, ::testing::ValuesIn(scenes().begin(), scenes().end()),
                         [](const auto& info) { return std::string(info.param.name); });

#ifdef TEFF_SIMULATED

/// Two members, and every schedule in which processors are left at most so often where they could go on.
TEST(scenes_of_openmp, hold_in_every_schedule_of_two) {
  constexpr std::pair<std::string_view, unsigned> explored[] = {
      {"barriers", 2},           {"singles", 2},          {"loops", 2},
      {"sections", 2},           {"taskgroups", 1},       {"locks_and_critical", 2},
      {"tasks_at_a_barrier", 1}, {"a_loop_in_batches", 2}};
  for (const auto& [name, preemptions] : explored) {
    const auto all = scenes();
    const auto found = std::find_if(all.begin(), all.end(), [&](const scene& each) { return each.name == name; });
    ASSERT_NE(found, all.end()) << name;
    scene of_two = *found;
    of_two.members = 2;
    EXPECT_EQ(play_every_schedule(of_two, "teff", preemptions), "") << name;
  }
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_openmp
