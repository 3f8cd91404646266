// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each object of src/sync under some hundred seeds: meetings of tasks and threads, natively and in random schedules.
/// test/stress/objects.cpp plays thousands.
#include "scenarios.h"

#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

template <class Scenario>
class meetings : public testing::Test {};

using all_meetings = testing::Types<mutex_meeting<>, timed_mutex_meeting<>, recursive_mutex_meeting<>, shared_mutex_meeting<>,
                                    shared_timed_mutex_meeting<>, condition_meeting<>, semaphore_meeting<>, barrier_meeting<>,
                                    latch_meeting<>, once_meeting<>, event_meeting<>, full_empty_meeting<>,
                                    full_empty_marks_meeting<>, channel_meeting<>>;
struct names {
  template <class Scenario>
  static std::string GetName(int) {
    return Scenario::name;
  }
};
TYPED_TEST_SUITE(meetings, all_meetings, names);

TYPED_TEST(meetings, end_well) {
  constexpr std::uint64_t seeds = 200;
  const finding found = first_finding<TypeParam>(seeds);
  EXPECT_EQ(found.seed, 0u) << found.what;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
