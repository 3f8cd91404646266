// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helpers.h"

namespace TEFF_NAMESPACE::sim {
namespace {

/// Several processors in and out of one lock. Returns: how often two were inside at once.
unsigned count_intrusions(platform::lock& lock) {
  padded<std::uint32_t> inside;
  unsigned intrusions = 0;
  unsigned visits = 0;
  run_on_each(4, [&](unsigned) {
    for (int round = 0; round < 5; ++round) {
      lock.acquire();
      if (inside.word.fetch_add(1, platform::relaxed) != 0) ++intrusions;
      ++visits;
      platform::charge(30);
      inside.word.fetch_sub(1, platform::relaxed);
      lock.release();
    }
  });
  EXPECT_EQ(visits, 20u);
  return intrusions;
}

class locks : public testing::TestWithParam<std::tuple<strategy, platform::lock_kind>> {};

TEST_P(locks, exclude_each_other_in_a_thousand_schedules) {
  const auto [strategy, kind] = GetParam();
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    options wanted = with(strategy, seed);
    wanted.machine.access_jitter = 10;
    unsigned intrusions = 0;
    const outcome ended = simulate(wanted, [&, kind = kind] {
      platform::lock lock(kind);
      intrusions = count_intrusions(lock);
    });
    ASSERT_TRUE(ended.ok()) << ended.report;
    ASSERT_EQ(intrusions, 0u) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(of, locks,
                         testing::Combine(testing::Values(strategy::virtual_time, strategy::random, strategy::pct),
                                          testing::Values(platform::lock_kind::mutex, platform::lock_kind::spin,
                                                          platform::lock_kind::brief)));

/// A waiter of a brief lock comes back in time to what rounds of spinning take on its machine.
TEST(naps_at_brief_locks, last_as_long_as_rounds_do) {
  for (const std::uint32_t pause : {1u, 40u, 1000u}) {
    std::uint64_t latest = 0, naps_of = 0;
    for (std::uint64_t held = 100'000; held < 1'000'000; held += 77'777) {
      options wanted;
      wanted.machine.pause = pause;
      wanted.machine.cycles_per_ns = 1;
      wanted.machine.park = wanted.machine.wake_latency = 0;
      const outcome ended = simulate(wanted, [&] {
        platform::lock lock(platform::lock_kind::brief);
        platform::atomic<std::uint32_t> begun{0};
        std::uint64_t released = 0;
        naps_of = platform::time_of_rounds_ns(tuning::lock_nap_rounds);
        run_on_each(2, [&](unsigned me) {
          if (me == 1) platform::spin_until(begun, [](std::uint32_t word) { return word != 0; }, "the first one");
          lock.acquire();
          if (me == 0) {
            begun.store(1, platform::release);
            platform::charge(held);
            released = platform::now_ns();
          } else {
            latest = std::max(latest, platform::now_ns() - released);
          }
          lock.release();
        });
      });
      ASSERT_TRUE(ended.ok()) << ended.report;
    }
    EXPECT_EQ(naps_of, std::uint64_t{pause} * tuning::lock_nap_rounds);
    EXPECT_LT(latest, naps_of + 1000) << pause;  // and what the accesses cost
    EXPECT_GT(latest, naps_of / 4) << pause;
  }
}

class fifo_lines : public testing::TestWithParam<strategy> {};

TEST_P(fifo_lines, exclude_each_other_in_a_thousand_schedules) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    options wanted = with(GetParam(), seed);
    wanted.machine.access_jitter = 10;
    unsigned intrusions = 0, visits = 0;
    const outcome ended = simulate(wanted, [&] {
      platform::fifo_lock lock;
      padded<std::uint32_t> inside;
      run_on_each(4, [&](unsigned) {
        platform::fifo_lock::place own;
        for (int round = 0; round < 5; ++round) {
          lock.acquire(own);
          if (inside.word.fetch_add(1, platform::relaxed) != 0) ++intrusions;
          ++visits;
          platform::charge(30);
          inside.word.fetch_sub(1, platform::relaxed);
          lock.release(own);
        }
      });
    });
    ASSERT_TRUE(ended.ok()) << ended.report;
    ASSERT_EQ(intrusions, 0u) << "seed " << seed;
    ASSERT_EQ(visits, 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(of, fifo_lines, testing::Values(strategy::virtual_time, strategy::random, strategy::pct));

TEST(fifo_lines_in_order, are_served_in_the_order_in_which_they_came) {
  std::vector<unsigned> order;
  const outcome ended = simulate({}, [&] {
    platform::fifo_lock lock;
    run_on_each(6, [&](unsigned me) {
      platform::fifo_lock::place own;
      // They come as 0, 5, 4, 3, 2, 1, all while the first one holds it.
      platform::charge(100'000 * (1 + me * 5 % 6));
      lock.acquire(own);
      order.push_back(me);
      platform::charge(1'000'000);
      lock.release(own);
    });
    EXPECT_EQ(lock.waits(), 5u);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(order, (std::vector<unsigned>{0, 5, 4, 3, 2, 1}));
}

/// A lock whose look and whose taking are two steps.
struct broken_lock {
  padded<std::uint32_t> taken;
  void acquire() {
    platform::spin_until(taken.word, [](std::uint32_t value) { return value == 0; }, "a broken lock");
    taken.word.store(1, platform::relaxed);
  }
  void release() { taken.word.store(0, platform::relaxed); }
};

TEST(locks, that_do_not_exclude_are_found) {
  for (const strategy strategy : {strategy::random, strategy::pct}) {
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 5000 && !found; ++seed) {
      simulate(with(strategy, seed), [&] {
        broken_lock lock;
        padded<std::uint32_t> inside;
        run_on_each(2, [&](unsigned) {
          lock.acquire();
          found = found || inside.word.fetch_add(1, platform::relaxed) != 0;
          inside.word.fetch_sub(1, platform::relaxed);
          lock.release();
        });
      });
    }
    EXPECT_TRUE(found);
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
