// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that sleep: their workers do not, and nobody wakes early.
#include "scene.h"

#include <chrono>
#include <limits>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

using namespace std::chrono_literals;

/// The system's clock on this side of the seam, as a clock of the standard library.
struct side_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<side_clock>;
  static time_point now() { return time_point(duration(static_cast<rep>(platform::now_ns()))); }
};

TEST(sleeps, last_at_least_as_long_as_was_asked_for) {
  in_a_task_on_every_pool(few_seeds, [](context&) {
    const std::uint64_t before = platform::now_ns();
    this_task::sleep_for(200us);
    EXPECT_GE(platform::now_ns() - before, 200'000u);
    const auto when = side_clock::now() + 200us;
    this_task::sleep_until(when);
    EXPECT_GE(side_clock::now(), when);
  });
}

TEST(sleeps, leave_the_worker_to_others) {
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 1}, few_seeds, [](context& here) {
      std::vector<std::string> order;
      task_group group;
      group.put(here, [&](context& own) {
        order.push_back("falls asleep");
        own.put([&](context&) { order.push_back("works"); });
        // Natively the worker may have been without a processor for so long that both can go on.
        for (int left = 1000; left > 0 && order.size() == 1; --left) this_task::sleep_for(1ms);
        order.push_back("wakes");
      });
      group.wait(here);
      EXPECT_EQ(order, (std::vector<std::string>{"falls asleep", "works", "wakes"}));
    });
  }
}

TEST(sleeps, end_in_the_order_of_their_times) {
#ifdef TEFF_SIMULATED  // natively a worker may be late for the first
  in_a_task({.pool = "dq8", .workers = 1}, few_seeds, [](context& here) {
    std::vector<int> order;
    task_group group;
    for (const int ms : {30, 10, 20, 40}) {
      group.put(here, [&order, ms] {
        this_task::sleep_for(std::chrono::milliseconds(ms));
        order.push_back(ms);
      });
    }
    group.wait(here);
    EXPECT_EQ(order, (std::vector<int>{10, 20, 30, 40}));
  });
#endif
}

TEST(sleeps, of_no_time_and_less_do_not_set_aside) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    const auto set_aside = [&] { return here.current().stats.value(trace::counter::suspensions); };
    const std::uint64_t before = set_aside();
    this_task::sleep_for(0s);
    this_task::sleep_for(-5s);
    this_task::sleep_for(std::chrono::duration<double>(-0.5));
    this_task::sleep_for(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()));
    this_task::sleep_for(std::chrono::hours::min());
    this_task::sleep_until(side_clock::now() - 1h);
    this_task::sleep_until(side_clock::time_point::min());
    EXPECT_EQ(set_aside(), before);
  });
}

TEST(sleeps, of_foreign_threads_and_of_calls_outside_are_real) {
  in_a_task({.workers = 2}, few_seeds, [](context&) {
    const auto sleeps = [] {
      const std::uint64_t before = platform::now_ns();
      this_task::sleep_for(200us);
      EXPECT_GE(platform::now_ns() - before, 200'000u);
    };
    blocking(sleeps);
    const foreign_thread outsider(sleeps);
    this_task::sleep_for(100us);
  });
}

TEST(sleeps, spin_under_no_policy) {
  const wait_policy before = default_policy();
  set_default_policy(wait_policy::spin);
  in_a_task({.workers = 1}, few_seeds, [](context& here) {
    bool worked = false;
    here.put([&](context&) { worked = true; });
    this_task::sleep_for(200us);
    EXPECT_TRUE(worked) << "the worker did nothing else";
  });
  set_default_policy(before);
}

TEST(sleeps, by_the_hundred_end_all) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    platform::atomic<unsigned> woken{0};
    task_group group;
    for (unsigned i = 0; i < 200; ++i) {
      group.put(here, [&woken, i] {
        this_task::sleep_for(std::chrono::microseconds(10 * (i * 37 % 50)));
        woken.fetch_add(1, platform::relaxed);
      });
    }
    group.wait(here);
    EXPECT_EQ(woken.load(platform::relaxed), 200u);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
