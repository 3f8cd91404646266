// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace TEFF_NAMESPACE::platform {
namespace {

TEST(thread, runs_its_entry_once_and_join_waits_for_it) {
  int runs = 0;
  thread started;
  EXPECT_FALSE(started.started());
  ASSERT_TRUE(started.start([](void* count) { ++*static_cast<int*>(count); }, &runs, -1));
  EXPECT_TRUE(started.started());
  started.join();
  EXPECT_FALSE(started.started());
  EXPECT_EQ(runs, 1);
}

TEST(thread, join_without_start_returns) {
  thread never_started;
  never_started.join();
}

TEST(thread, start_on_a_place_binds_to_that_processor) {
  const int place = static_cast<int>(machine().places.size()) - 1;
  cpu_set_t set;
  CPU_ZERO(&set);
  thread started;
  ASSERT_TRUE(started.start([](void* out) { sched_getaffinity(0, sizeof set, static_cast<cpu_set_t*>(out)); }, &set, place));
  started.join();
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(machine().places.back().system_index, &set));
}

TEST(thread, planted_refusals_refuse_the_later_starts_only) {
  planted_faults().threads_until_refusal = 1;
  thread first, second, third;
  EXPECT_TRUE(first.start([](void*) {}, nullptr, -1));
  EXPECT_FALSE(second.start([](void*) {}, nullptr, -1));
  EXPECT_FALSE(second.started());
  EXPECT_FALSE(third.start([](void*) {}, nullptr, -1));
  planted_faults().threads_until_refusal = -1;
  EXPECT_TRUE(second.start([](void*) {}, nullptr, -1));
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
      &seen_there, -1));
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
