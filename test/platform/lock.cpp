// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::platform {
namespace {

class every_lock : public testing::TestWithParam<lock_kind> {};

struct counter {
  explicit counter(lock_kind kind) : guard(kind) {}
  lock guard;
  std::uint64_t value TEFF_GUARDED_BY(guard) = 0;  ///< plain: two sections at once would lose an increment
  static constexpr std::uint64_t increments = 20'000;
};

void count(void* pointer) {
  auto& at = *static_cast<counter*>(pointer);
  for (std::uint64_t i = 0; i < counter::increments; ++i) {
    const lock_guard held(at.guard);
    ++at.value;
  }
}

TEST_P(every_lock, keeps_sections_apart) {
  counter shared(GetParam());
  // Twice as many threads as processors would make a spin lock wait for time slices: four are enough to contend and to park.
  std::array<thread, 4> threads;
  for (thread& each : threads) ASSERT_TRUE(each.start(count, &shared, {}));
  for (thread& each : threads) each.join();
  const lock_guard held(shared.guard);
  EXPECT_EQ(shared.value, threads.size() * counter::increments);
}

struct counter_in_line {
  fifo_lock guard;
  std::uint64_t value = 0;
  static constexpr std::uint64_t increments = 2'000;
  static void count(void* pointer) {
    auto& at = *static_cast<counter_in_line*>(pointer);
    fifo_lock::place own;
    for (std::uint64_t i = 0; i < increments; ++i) {
      at.guard.acquire(own);
      ++at.value;
      at.guard.release(own);
    }
  }
};

TEST(fifo_lock, keeps_sections_apart) {
  counter_in_line shared;
  std::array<thread, 3> threads;
  for (thread& each : threads) ASSERT_TRUE(each.start(&counter_in_line::count, &shared, {}));
  for (thread& each : threads) each.join();
  EXPECT_EQ(shared.value, threads.size() * counter_in_line::increments);
}

TEST_P(every_lock, try_acquire_fails_while_it_is_held) {
  lock guard(GetParam());
  if (!guard.try_acquire()) {
    FAIL() << "a new lock is free";
  } else {
    thread other;
    struct attempt {
      lock& guard;
      bool got = true;
    } from_other{guard};
    const auto attempt_it = [](void* pointer) {
      auto& at = *static_cast<attempt*>(pointer);
      at.got = false;
      if (at.guard.try_acquire()) {
        at.got = true;
        at.guard.release();
      }
    };
    EXPECT_TRUE(other.start(attempt_it, &from_other, {}));
    other.join();
    EXPECT_FALSE(from_other.got);
    guard.release();
    EXPECT_TRUE(other.start(attempt_it, &from_other, {}));
    other.join();
    EXPECT_TRUE(from_other.got);
  }
}

INSTANTIATE_TEST_SUITE_P(lock, every_lock, testing::Values(lock_kind::mutex, lock_kind::spin, lock_kind::brief),
                         [](const auto& info) {
                           return info.param == lock_kind::mutex ? "mutex" : info.param == lock_kind::spin ? "spin" : "brief";
                         });

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
