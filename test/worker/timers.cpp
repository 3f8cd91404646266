// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Timers alone: each fires once, the nearest first, whatever is cancelled meanwhile.
#include "test/runtime/helpers.h"
#include "worker/timers.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::testing_worker {
namespace {

/// What fired, in order; written by the timers' thread.
struct log {
  std::vector<const fibers::timer*> fired;
  platform::atomic<std::size_t> count{0};
};

struct logged : fibers::timer {
  log& to;
  logged(log& to, std::uint64_t deadline_ns) : timer{deadline_ns, &note}, to(to) {}
  static void note(timer& self) {
    log& to = static_cast<logged&>(self).to;
    to.fired.push_back(&self);
    to.count.fetch_add(1, platform::release);
  }
};

/// Keeps the timers' thread busy until it is let go.
struct gate : fibers::timer {
  platform::atomic<bool> open{false};
  gate() : timer{0, &hold} {}
  static void hold(timer& self) {
    platform::spin_until(static_cast<gate&>(self).open, [](bool open) { return open; }, "the test to let the timers go");
  }
};

bool is_earlier(const fibers::timer* a, const fibers::timer* b) { return a->deadline_ns < b->deadline_ns; }

TEST(timers, fire_in_order_whatever_was_cancelled) {
  testing_runtime::on_this_side(2, [] {
    constexpr unsigned timers_at_once = 200;
    platform::random dice(7);
    workers::timers tested;
    gate first;
    ASSERT_TRUE(tested.add(first));
    log heard;
    std::vector<std::unique_ptr<logged>> all;
    const std::uint64_t begin = platform::now_ns();
    for (unsigned timer = 0; timer < timers_at_once; ++timer) {
      all.push_back(std::make_unique<logged>(heard, begin + dice.below(50)));  // several at the same time
      ASSERT_TRUE(tested.add(*all.back()));
    }
    std::vector<const fibers::timer*> expected;
    for (const auto& each : all) {
      if (dice.below(3) == 0) tested.cancel(*each);
      else expected.push_back(each.get());
    }
    // One that is cancelled again, and one that is added again.
    for (const auto& each : all) {
      if (std::find(expected.begin(), expected.end(), each.get()) != expected.end()) continue;
      tested.cancel(*each);
      ASSERT_TRUE(tested.add(*each));
      tested.cancel(*each);
    }
    EXPECT_TRUE(tested.pending());
    first.open.store(true, platform::release);
    platform::spin_until(heard.count, [&](std::size_t count) { return count == expected.size(); }, "all timers to fire");
    tested.stop();
    EXPECT_FALSE(tested.pending());
    EXPECT_TRUE(std::is_sorted(heard.fired.begin(), heard.fired.end(), is_earlier));
    std::sort(expected.begin(), expected.end());
    std::sort(heard.fired.begin(), heard.fired.end());
    EXPECT_EQ(heard.fired, expected);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_worker
