// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory and threads from the simulated system, and their refusal.
#include "helpers.h"

#include "sim/arena.h"

#include <cstring>
#include <map>
#include <numeric>

namespace TEFF_NAMESPACE::sim {
namespace {

bool is_aligned(const void* block, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(block) % alignment == 0; }

TEST(memory, blocks_are_aligned_apart_and_zeroed_and_come_back) {
  arena tested;
  platform::random draw(9);
  struct block {
    std::size_t bytes;
    unsigned char content;
  };
  std::map<unsigned char*, block> held;
  for (int step = 0; step < 5000; ++step) {
    if (held.size() > 100 || (!held.empty() && draw.below(3) == 0)) {
      const auto gone = std::next(held.begin(), draw.below(static_cast<std::uint32_t>(held.size())));
      for (std::size_t i = 0; i < gone->second.bytes; ++i) ASSERT_EQ(gone->first[i], gone->second.content);
      tested.release(gone->first, gone->second.bytes);
      held.erase(gone);
      continue;
    }
    const std::size_t bytes = draw.below(50) == 0 ? draw.below(3'000'000) : draw.below(2000);
    const std::size_t alignment = std::size_t{1} << draw.below(13);
    auto* const made = static_cast<unsigned char*>(tested.allocate(bytes, alignment));
    ASSERT_NE(made, nullptr);
    ASSERT_TRUE(is_aligned(made, alignment)) << bytes << ' ' << alignment;
    ASSERT_TRUE(tested.owns(made));
    ASSERT_EQ(held.count(made), 0u);
    held[made] = {bytes, static_cast<unsigned char>(step)};
    std::memset(made, step, bytes);
  }
  EXPECT_EQ(tested.blocks(), held.size());
  tested.reset();
  EXPECT_EQ(tested.blocks(), 0u);
  const auto* fresh = static_cast<unsigned char*>(tested.allocate(100'000, 64));
  EXPECT_EQ(std::accumulate(fresh, fresh + 100'000, 0u), 0u);
}

TEST(memory, is_reused_last_in_first_out) {
  arena tested;
  void* const first = tested.allocate(48, 16);
  void* const second = tested.allocate(48, 16);
  tested.release(first, 48);
  tested.release(second, 48);
  EXPECT_EQ(tested.allocate(40, 16), second);
  EXPECT_EQ(tested.allocate(33, 16), first);
}

TEST(memory, more_than_there_is_is_refused) {
  arena tested;
  EXPECT_EQ(tested.allocate(~std::size_t{0}, 16), nullptr);
  EXPECT_EQ(tested.allocate(std::size_t{1} << 60, 16), nullptr);
  EXPECT_NE(tested.allocate(100, 16), nullptr);
}

TEST(memory, leftovers_are_counted) {
  const outcome ended = simulate({}, [] {
    void* const released = platform::system_allocate(100);
    EXPECT_NE(platform::system_allocate(100), nullptr);
    EXPECT_NE(platform::system_allocate(100, 64), nullptr);
    platform::system_release(released, 100);
  });
  EXPECT_TRUE(ended.ok());
  EXPECT_EQ(ended.leftover_blocks, 2u);
  EXPECT_EQ(simulate({}, [] {}).leftover_blocks, 0u);
}

TEST(memory, from_outside_a_run_may_be_released_inside_and_the_other_way_round) {
  void* const outside = platform::system_allocate(200, 64);
  void* inside = nullptr;
  simulate({}, [&] {
    platform::system_release(outside, 200);
    inside = platform::system_allocate(200, 64);
  });
  std::memset(inside, 1, 200);
  platform::system_release(inside, 200);
}

TEST(faults, refuse_memory_when_planted_and_are_counted_anew_in_each_run) {
  const auto body = [] {
    EXPECT_NE(platform::system_allocate(8), nullptr);
    EXPECT_NE(platform::system_allocate(8), nullptr);
    EXPECT_EQ(platform::system_allocate(8), nullptr);
    EXPECT_EQ(platform::system_allocate(8), nullptr);
  };
  platform::planted_faults().allocations_until_refusal = 2;
  EXPECT_TRUE(simulate({}, body).ok());
  EXPECT_TRUE(simulate({}, body).ok());
  platform::planted_faults() = {};
  simulate({}, [] { platform::planted_faults().allocations_until_refusal = 0; });
  simulate({}, [] { EXPECT_NE(platform::system_allocate(8), nullptr); });
}

TEST(faults, refuse_threads_when_planted) {
  const outcome ended = simulate({}, [] {
    platform::planted_faults().threads_until_refusal = 1;
    platform::thread first, second;
    EXPECT_TRUE(first.start([](void*) {}, nullptr, {}));
    EXPECT_FALSE(second.start([](void*) {}, nullptr, {}));
    EXPECT_FALSE(second.started());
    first.join();
    second.join();
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(faults, threads_are_refused_beyond_what_the_simulator_holds) {
  const outcome ended = simulate({}, [] {
    std::vector<platform::thread> threads(processors_at_once);
    for (unsigned i = 0; i + 1 < threads.size(); ++i) ASSERT_TRUE(threads[i].start([](void*) {}, nullptr, {}));
    EXPECT_FALSE(threads.back().start([](void*) {}, nullptr, {}));
    for (auto& thread : threads) thread.join();
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(atomics, work_outside_a_run) {
  platform::atomic<std::int32_t> number{-1};
  EXPECT_EQ(number.fetch_add(3, platform::relaxed), -1);
  EXPECT_EQ(number.fetch_sub(12, platform::relaxed), 2);
  EXPECT_EQ(number.exchange(5, platform::relaxed), -10);
  std::int32_t expected = 4;
  EXPECT_FALSE(number.compare_exchange(expected, 9, platform::relaxed));
  EXPECT_EQ(expected, 5);
  EXPECT_TRUE(number.compare_exchange(expected, 9, platform::relaxed));
  platform::atomic<std::uint8_t> narrow{250};
  narrow.fetch_add(10, platform::relaxed);
  EXPECT_EQ(narrow.load(platform::relaxed), 4);
  platform::atomic<std::int64_t> widest{INT64_MAX};
  widest.fetch_add(1, platform::relaxed);
  EXPECT_EQ(widest.load(platform::relaxed), INT64_MIN);
  EXPECT_EQ(narrow.fetch_or(3, platform::relaxed), 4);
  platform::lock lock;
  const platform::lock_guard guard(lock);
  EXPECT_FALSE(lock.try_acquire());
  EXPECT_GT(platform::now_ns(), 0u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
