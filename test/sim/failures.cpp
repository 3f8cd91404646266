// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs that do not finish are found, say why, and can be run again.
#include "helpers.h"

#include "platform/sanitizers.h"
#include "sim/access.h"
#include "test/support/address_space.h"

#include <limits>
#include <new>
#include <optional>

namespace TEFF_NAMESPACE::sim {
namespace {

options expecting_failure(strategy strategy, std::uint64_t seed) {
  options wanted = with(strategy, seed);
  wanted.expects_failure = true;
  return wanted;
}

/// Returns: the first seed whose run does not finish.
std::optional<std::uint64_t> first_failure(strategy strategy, std::uint64_t seeds, outcome& failed,
                                           const std::function<void()>& body) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    failed = simulate(expecting_failure(strategy, seed), body);
    if (!failed.ok()) return seed;
  }
  return std::nullopt;
}

void cross_two_locks() {
  platform::lock left, right;
  run_on_each(2, [&](unsigned me) {
    platform::lock& first = me == 0 ? left : right;
    platform::lock& second = me == 0 ? right : left;
    first.acquire();
    second.acquire();
    second.release();
    first.release();
  });
}

/// A sleeper and a waker. The hasty sleeper trusts a look at the flag that it took before it said which value it sleeps on.
void sleep_and_wake(bool hasty) {
  padded<std::uint32_t> flag, door;
  run_on_each(2, [&](unsigned me) {
    if (me == 0) {
      flag.word.store(1, platform::seq_cst);
      door.word.fetch_add(1, platform::seq_cst);
      platform::wake_one(door.word);
      return;
    }
    std::uint32_t ticket = door.word.load(platform::acquire);
    if (flag.word.load(platform::acquire) == 1) return;
    if (hasty) ticket = door.word.load(platform::acquire);
    platform::park(door.word, ticket, "the flag");
  });
}

TEST(failures, two_crossed_locks_are_a_deadlock) {
  for (const strategy strategy : {strategy::random, strategy::pct}) {
    outcome failed;
    const auto seed = first_failure(strategy, 300, failed, cross_two_locks);
    ASSERT_TRUE(seed);
    EXPECT_EQ(failed.how, outcome::end::deadlock);
    EXPECT_NE(failed.report.find("'a lock'"), std::string::npos) << failed.report;
    EXPECT_NE(failed.report.find("processor 1 is parked"), std::string::npos) << failed.report;
    EXPECT_EQ(simulate(expecting_failure(strategy, *seed), cross_two_locks).hash, failed.hash);
  }
}

TEST(failures, a_lost_wake_up_is_found_and_named) {
  for (const strategy strategy : {strategy::random, strategy::pct}) {
    outcome failed;
    const auto seed = first_failure(strategy, 500, failed, [] { sleep_and_wake(true); });
    ASSERT_TRUE(seed);
    EXPECT_EQ(failed.how, outcome::end::deadlock);
    EXPECT_NE(failed.report.find("processor 0 joins processor 1"), std::string::npos) << failed.report;
    EXPECT_NE(failed.report.find("parked for 'the flag'"), std::string::npos) << failed.report;
    EXPECT_NE(failed.report.find("seed=" + std::to_string(*seed) + " processors=8"), std::string::npos) << failed.report;
  }
}

TEST(failures, a_correct_sleeper_is_never_reported) {
  for (const strategy strategy : {strategy::virtual_time, strategy::random, strategy::pct}) {
    outcome ended;
    EXPECT_FALSE(first_failure(strategy, 2000, ended, [] { sleep_and_wake(false); })) << ended.report;
  }
}

TEST(failures, steps_without_progress_are_a_livelock) {
  options wanted = expecting_failure(strategy::random, 3);
  wanted.steps_without_progress_at_most = 10'000;
  const outcome failed = simulate(wanted, [] {
    padded<std::uint32_t> never;
    run_on_each(2, [&](unsigned) {
      while (never.word.load(platform::relaxed) == 0) platform::pause();
    });
  });
  EXPECT_EQ(failed.how, outcome::end::livelock);
  EXPECT_NE(failed.report.find("is running"), std::string::npos) << failed.report;
  EXPECT_NE(failed.report.find("replay: strategy=random seed=3 processors=8"), std::string::npos) << failed.report;
}

TEST(failures, steps_with_progress_are_none) {
  options wanted;
  wanted.steps_without_progress_at_most = 10;
  const outcome ended = simulate(wanted, [] {
    padded<std::uint32_t> word;
    for (int i = 0; i < 1000; ++i) {
      word.word.fetch_add(1, platform::relaxed);
      platform::progress();
    }
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// Effect: each of so many threads takes so many steps, and none reports progress. Returns: how that ended.
outcome steps_of_many(unsigned threads, unsigned steps, std::uint64_t at_most) {
  options wanted = expecting_failure(strategy::virtual_time, 1);
  wanted.steps_without_progress_at_most = at_most;
  return simulate(wanted, [=] {
    padded<std::uint32_t> all_there, word;
    run_on_each(threads, [&](unsigned me) {
      if (me == threads - 1) all_there.word.store(1, platform::release);
      platform::spin_until(all_there.word, [](std::uint32_t value) { return value != 0; }, "all to be there");
      for (unsigned i = 0; i < steps; ++i) word.word.load(platform::relaxed);
    });
  });
}

TEST(failures, many_threads_may_take_more_steps_without_progress) {
  EXPECT_EQ(steps_of_many(100, 150, 10'000).how, outcome::end::livelock);
  EXPECT_EQ(steps_of_many(200, 150, 10'000).how, outcome::end::finished) << "of 40,000 steps";
  EXPECT_EQ(steps_of_many(200, 250, 10'000).how, outcome::end::livelock);
  EXPECT_EQ(steps_of_many(2, 150, 10'000).how, outcome::end::finished) << "the threads of the run before do not count";
  EXPECT_EQ(steps_of_many(2, 5'100, 10'000).how, outcome::end::livelock);
  EXPECT_EQ(steps_of_many(200, 150, std::numeric_limits<std::uint64_t>::max()).how, outcome::end::finished);
}

TEST(failures, a_spin_for_what_nobody_writes_is_a_deadlock) {
  const outcome failed = simulate(expecting_failure(strategy::virtual_time, 1), [] {
    padded<std::uint32_t> never;
    platform::spin_until(never.word, [](std::uint32_t value) { return value != 0; }, "a miracle");
  });
  EXPECT_EQ(failed.how, outcome::end::deadlock);
  EXPECT_NE(failed.report.find("spins for 'a miracle'"), std::string::npos) << failed.report;
}

TEST(failures, threads_have_to_be_joined) {
  const outcome failed = simulate(expecting_failure(strategy::virtual_time, 1), [] {
    platform::thread ended, running;
    ASSERT_TRUE(ended.start([](void*) {}, nullptr, {}));
    platform::charge(1'000'000);
    ASSERT_TRUE(running.start([](void*) { platform::charge(1'000'000'000); }, nullptr, {}));
  });
  EXPECT_EQ(failed.how, outcome::end::unjoined);
  EXPECT_NE(failed.report.find("processor 1 ended"), std::string::npos) << failed.report;
  EXPECT_NE(failed.report.find("processor 2 can run"), std::string::npos) << failed.report;
}

TEST(failures, leave_nothing_behind_for_the_next_run) {
  const outcome clean = simulate(with(strategy::random, 5), [] { sleep_and_wake(false); });
  outcome failed;
  ASSERT_TRUE(first_failure(strategy::random, 300, failed, cross_two_locks));
  EXPECT_EQ(simulate(with(strategy::random, 5), [] { sleep_and_wake(false); }).hash, clean.hash);
}

#if !defined(TEFF_ADDRESS_SANITIZER) && !defined(TEFF_THREAD_SANITIZER)
TEST(failures, memory_that_is_refused_inside_of_an_access_ends_the_run) {
  const auto touch_lines = [](std::uintptr_t count) {
    run_on_each(2, [=](unsigned me) {
      for (std::uintptr_t i = 1; i < count; ++i)
        access(reinterpret_cast<const void*>((2 * i + me) * cache_line_bytes), operation::load);
    });
  };
  const outcome clean = simulate({}, [&] { touch_lines(100); });
  const rlimit before = testing_support::leave_address_space_of(std::uint64_t{64} << 20);
  EXPECT_THROW(simulate({}, [&] { touch_lines(100'000'000); }), std::bad_alloc);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(simulate({}, [&] { touch_lines(100); }).hash, clean.hash);
}

TEST(failures, memory_that_is_refused_for_a_recorded_schedule_ends_the_run) {
  const auto take_turns = [](unsigned count) {
    run_on_each(2, [=](unsigned me) {
      for (unsigned i = 0; i < count; ++i) access(reinterpret_cast<const void*>((1 + me) * cache_line_bytes), operation::load);
    });
  };
  options recording = with(strategy::random, 5);
  recording.record = true;
  recording.steps_without_progress_at_most = ~std::uint64_t{0};
  const rlimit before = testing_support::leave_address_space_of(std::uint64_t{16} << 20);
  EXPECT_THROW(simulate(recording, [&] { take_turns(100'000'000); }), std::bad_alloc);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(simulate(recording, [&] { take_turns(100); }).ok());
}
#endif

TEST(failures_death, a_simulation_inside_a_simulation_is_refused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(simulate({}, [] { simulate({}, [] {}); }), "after the other has ended");
}

TEST(failures_death, a_park_outside_a_simulation_is_refused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  padded<std::uint32_t> word;
  EXPECT_DEATH(platform::park(word.word, 0, "nobody"), "inside simulate");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
