// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helpers.h"

namespace TEFF_NAMESPACE::sim {
namespace {

constexpr unsigned bystanders = 6, steps = 40;

/// A bug of depth 2: the first processor must be stopped between two given steps of its forty, and the second must do its one
/// step there, while six others do steps that do not matter. Returns: whether it happened.
bool unlucky(const options& wanted) {
  bool torn = false;
  const outcome ended = simulate(wanted, [&] {
    padded<std::uint32_t> noise, half;
    run_on_each(bystanders + 2, [&](unsigned me) {
      for (unsigned i = 0; i < steps; ++i) {
        noise.word.fetch_add(1, platform::relaxed);
        if (me == 1 && i == steps / 2) {
          half.word.store(1, platform::relaxed);
          half.word.store(0, platform::relaxed);
        }
      }
      if (me == 2) torn = half.word.load(platform::relaxed) == 1;
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return torn;
}

unsigned found_in(strategy strategy, std::uint64_t seeds, unsigned depth) {
  unsigned found = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    options wanted = with(strategy, seed);
    wanted.pct_depth = depth;
    wanted.pct_length = (bystanders + 2) * (steps + 4);
    found += unlucky(wanted) ? 1 : 0;
  }
  return found;
}

TEST(pct, finds_a_bug_of_depth_two_at_least_as_often_as_promised) {
  // Promised: 1 / (8 processors · 352 steps) of the schedules, so in 20,000 about 7; half of that is very unlikely.
  EXPECT_GE(found_in(strategy::pct, 20'000, 2), 4u);
}

TEST(pct, without_a_change_of_priority_never_finds_it) { EXPECT_EQ(found_in(strategy::pct, 2'000, 1), 0u); }

TEST(pct, does_not_starve_those_that_a_waiting_loop_waits_for) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const bool polite : {true, false}) {
      options wanted = with(strategy::pct, seed);
      wanted.steps_without_progress_at_most = 200'000;
      const outcome ended = simulate(wanted, [&] {
        padded<std::uint32_t> ready;
        run_on_each(3, [&](unsigned me) {
          if (me == 2) ready.word.store(1, platform::release);
          while (ready.word.load(platform::acquire) == 0) {
            if (polite) platform::pause();
          }
        });
      });
      ASSERT_TRUE(ended.ok()) << ended.report;
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
