// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/processors.h"
#include "platform/platform.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <span>
#include <vector>

namespace TEFF_NAMESPACE::platform {
namespace {

TEST(thread, runs_its_entry_once_and_join_waits_for_it) {
  int runs = 0;
  thread started;
  EXPECT_FALSE(started.started());
  ASSERT_TRUE(started.start([](void* count) { ++*static_cast<int*>(count); }, &runs, {}));
  EXPECT_TRUE(started.started());
  started.join();
  EXPECT_FALSE(started.started());
  EXPECT_EQ(runs, 1);
}

TEST(thread, join_without_start_returns) {
  thread never_started;
  never_started.join();
}

/// Returns: the processors on which a thread may run that is started with these places.
std::vector<unsigned> allowed_with(std::span<const unsigned> places) {
  std::vector<unsigned> processors;
  thread started;
  EXPECT_TRUE(started.start([](void* out) { *static_cast<std::vector<unsigned>*>(out) = processors_by_affinity(); }, &processors,
                            places));
  started.join();
  return processors;
}

TEST(thread, start_on_a_place_binds_to_that_processor) {
  const unsigned last = static_cast<unsigned>(machine().places.size()) - 1;
  EXPECT_EQ(allowed_with({&last, 1}), std::vector{machine().places.back().system_index});
}

TEST(thread, starts_where_it_is_told_or_where_its_starter_may_run) {
  const auto before = processors_by_affinity();
  if (before.size() < 2) GTEST_SKIP() << "one processor: nothing can be narrowed";
  const std::vector<unsigned> all = places_of_caller();
  EXPECT_EQ(all.size(), before.size());
  EXPECT_EQ(allowed_with(all), before);
  EXPECT_EQ(allowed_with({}), before);
  const auto narrow_to = [](std::span<const unsigned> processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned each : processors) CPU_SET(each, &set);
    EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
  };
  const unsigned kept = machine().places[1].system_index;
  narrow_to({&kept, 1});
  EXPECT_EQ(places_of_caller(), std::vector{1u});
  EXPECT_EQ(allowed_with({}), std::vector{kept});
  EXPECT_EQ(allowed_with(all), before) << "who is told is not bound by its starter's mask";
  narrow_to(before);
}

TEST(thread, planted_refusals_refuse_the_later_starts_only) {
  planted_faults().threads_until_refusal = 1;
  thread first, second, third;
  EXPECT_TRUE(first.start([](void*) {}, nullptr, {}));
  EXPECT_FALSE(second.start([](void*) {}, nullptr, {}));
  EXPECT_FALSE(second.started());
  EXPECT_FALSE(third.start([](void*) {}, nullptr, {}));
  planted_faults().threads_until_refusal = -1;
  EXPECT_TRUE(second.start([](void*) {}, nullptr, {}));
  first.join();
  second.join();
}

TEST(thread, current_pointer_belongs_to_its_thread) {
  int mine = 0;
  set_current(&mine);
  void* seen_there = &mine;
  thread other;
  ASSERT_TRUE(other.start(
      [](void* out) {
        *static_cast<void**>(out) = current();
        set_current(out);
      },
      &seen_there, {}));
  other.join();
  EXPECT_EQ(seen_there, nullptr);
  EXPECT_EQ(current(), &mine);
  set_current(nullptr);
}

TEST(memory, planted_refusals_refuse_the_later_allocations_only) {
  planted_faults().allocations_until_refusal = 1;
  void* first = system_allocate(64, 64);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(system_allocate(64), nullptr);
  EXPECT_EQ(system_allocate(64), nullptr);
  planted_faults().allocations_until_refusal = -1;
  void* second = system_allocate(64);
  EXPECT_NE(second, nullptr);
  system_release(first, 64);
  system_release(second, 64);
}

TEST(memory, blocks_are_aligned_as_asked_for) {
  for (const std::size_t alignment : {8, 16, 64, 4096}) {
    void* block = system_allocate(100, alignment);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
    system_release(block, 100);
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
