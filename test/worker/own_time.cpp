// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The time account natively: that it adds up whatever the pool and its memory, and finds the program's own work. No time is
/// asserted, only parts of what passed; and as a thread that loses its processor for a short time has that in the part that goes
/// on, of some runs one has to be as it should.
#include "platform/platform.h"
#include "teff/teff.hpp"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <tuple>

namespace TEFF_NAMESPACE {
namespace {

/// Some 50 µs without memory or the runtime: many times what a put and the one wait cost, under ThreadSanitizer, too.
void work() {
  std::uint64_t value = 1;
  for (unsigned step = 0; step < 120'000; ++step) asm volatile("add %0, %0" : "+r"(value) : : "cc");
}

void put_many(context& here, unsigned count, void (*each)()) {
  task_group all;
  for (unsigned number = 0; number < count; ++number) all.put(here, [each] { each(); });
  all.wait(here);
}

void expect_to_add_up(const statistics& seen) {
  ASSERT_GT(seen.account_ns, 0u);
  for (std::size_t id = 0; id < seen.tasks_by_worker.size(); ++id) {
    std::uint64_t sum = 0;
    for (const time_part& each : seen.account) {
      EXPECT_LE(each.ns_by_worker[id], seen.account_ns) << each.name << " of worker " << id;
      sum += each.ns_by_worker[id];
    }
    EXPECT_EQ(sum, seen.account_ns) << "worker " << id;
  }
  for (const resource_use& each : seen.resources) EXPECT_LE(each.busy_ns, seen.account_ns) << each.name;
}

statistics account_of(team& on, void (*first)(context&)) {
  on.reset_stats();
  on.init([first](context& here) { first(here); });
  on.run();
  return on.stats();
}

constexpr unsigned tries = 40;

/// Returns: whether that is so of one of some runs, or the account of the last one. All add up.
template <class Predicate>
testing::AssertionResult once(team& on, void (*first)(context&), Predicate is_so) {
  statistics seen;
  for (unsigned each = 0; each < tries; ++each) {
    seen = account_of(on, first);
    expect_to_add_up(seen);
    if (is_so(seen)) return testing::AssertionSuccess();
  }
  testing::AssertionResult not_once = testing::AssertionFailure();
  not_once << "in none of " << tries << " runs; the last one, in ns: " << seen.account_ns;
  for (const time_part& each : seen.account) not_once << ", " << each.name << " " << seen.spent(each.name);
  return not_once;
}

/// Returns: the program's share of the time of runs for which the workers had processors.
double own_share(const statistics& seen) {
  const std::uint64_t without = seen.spent("outside_runs") + seen.spent("without_processor");
  return static_cast<double>(seen.spent("own_work")) / static_cast<double>(seen.account_ns - without);
}

using names = std::tuple<const char*, const char*>;
class own_time : public testing::TestWithParam<names> {};

TEST_P(own_time, is_most_of_the_time_of_long_tasks) {
  const auto [pool, memory] = GetParam();
  team on({.pool = pool, .memory = memory, .workers = 1});
  const auto is_most = [](const statistics& seen) { return own_share(seen) > 0.9 && seen.spent("put_get") > 0; };
  EXPECT_TRUE(once(on, [](context& here) { put_many(here, 200, &work); }, is_most));
}

TEST_P(own_time, adds_up_when_tasks_are_empty) {
  const auto [pool, memory] = GetParam();
  for (const unsigned workers : {1u, 3u}) {
    team on({.pool = pool, .memory = memory, .workers = workers});
    expect_to_add_up(account_of(on, [](context& here) { put_many(here, 5'000, [] {}); }));
  }
}

INSTANTIATE_TEST_SUITE_P(pools_and_memories, own_time,
                         testing::Combine(testing::Values("teff", "dq5", "sq1"), testing::Values("clf", "bs")),
                         [](const auto& each) { return std::string(std::get<0>(each.param)) + "_" + std::get<1>(each.param); });

TEST(own_time, of_a_run_inside_of_a_task_of_another_team) {
  static team* inner = nullptr;
  team own({.workers = 1}), outer({.workers = 1});
  inner = &own;
  const auto first = [](context&) {
    inner->reset_stats();
    inner->init([](context& here) { put_many(here, 20, &work); });
    inner->run();
    for (unsigned each = 0; each < 60; ++each) work();
  };
  // The task's own part is three times the other team's run, which is not its own.
  EXPECT_TRUE(once(outer, first, [](const statistics& around) {
    const statistics inside = inner->stats();
    expect_to_add_up(inside);
    EXPECT_GE(around.spent("outside_runs"), inside.spent("own_work"));
    return inside.spent("own_work") > 0 && around.spent("own_work") > 2 * inside.spent("own_work");
  }));
}

/// A join that is taken back costs little, a child that its parent's wait runs in place much more: each has a price of its own.
TEST(own_time, joins_and_children_have_prices_of_their_own) {
  struct calls {
    static void join_them(context& here, unsigned depth) {
      if (depth != 0)
        join(here, [=](context& child) { join_them(child, depth - 1); }, [=](context& child) { join_them(child, depth - 1); });
    }
    static void group_them(context& here, unsigned depth) {
      if (depth == 0) return;
      task_group both;
      for (unsigned each = 0; each < 2; ++each) both.put(here, [=](context& child) { group_them(child, depth - 1); });
      both.wait(here);
    }
  };
  constexpr std::uint64_t joins = (1u << 12) - 1, children = (1u << 9) - 2;
  team on({.workers = 1});
  const std::uint64_t of_joins = account_of(on, [](context& here) { calls::join_them(here, 12); }).spent("put_get");
  const std::uint64_t of_children = account_of(on, [](context& here) { calls::group_them(here, 8); }).spent("put_get");
  EXPECT_GT(of_joins, joins / 4) << "a quarter of a nanosecond for each";
  EXPECT_GT(of_children * joins, 2 * of_joins * children);
}

TEST(own_time, adds_up_at_any_time) {
  team on({.pool = "dq5", .workers = 3});
  std::atomic<bool> ends{false};
  std::thread looks([&] {
    do expect_to_add_up(on.stats());
    while (!ends);
  });
  for (unsigned run = 0; run < 20; ++run) {
    on.init([](context& here) { put_many(here, 500, [] {}); });
    on.run();
  }
  ends = true;
  looks.join();
  expect_to_add_up(on.stats());
}

/// The first look at any account measures what tasks cost: none of that is the team's time.
TEST(own_time, has_nothing_of_what_a_look_takes) {
  bool is_so = false;
  for (const char* const memory : {"dgbk", "dbk", "cgbk", "dl", "cl"}) {
    if (is_so) break;
    team on({.memory = memory, .workers = 1});
    on.reset_stats();
    const std::uint64_t before = platform::now_ns();
    const statistics seen = on.stats();
    is_so = seen.account_ns * 4 < platform::now_ns() - before;
  }
  EXPECT_TRUE(is_so);
}

// ---- one worker's ledger --------------------------------------------------------------------------------------------------

std::uint64_t of(const std::uint64_t (&spent)[account_part_count], account_part part) {
  return spent[static_cast<unsigned>(part)];
}

TEST(ledger, has_no_part_below_nothing_whenever_it_is_read) {
  platform::ledger own;
  own.restart(1'000);
  own.was_in_vain(17);  // as if the time of these looks were not there yet
  std::uint64_t spent[account_part_count];
  own.read(1'000, 1'100, spent);
  EXPECT_EQ(of(spent, account_part::stealing), 0u);
  EXPECT_EQ(of(spent, account_part::searching_alone), 17u);
  EXPECT_EQ(of(spent, account_part::outside_runs), 83u) << "what goes on has the rest";
  own.read(1'000, 1'010, spent);
  EXPECT_EQ(of(spent, account_part::searching_alone), 10u) << "no more than there is";
}

TEST(ledger, tells_no_thefts_if_it_is_not_to) {
  platform::ledger own;
  platform::bind_ledger(&own);
  for (const bool are_told : {false, true, false}) {
    own.tell_thefts(are_told);
    const std::uint64_t before = own.spent(account_part::stealing);
    {
      const platform::account_scope stealing(account_part::stealing);
      EXPECT_EQ(own.going_on(), are_told ? account_part::stealing : platform::ledger::base);
      for (const std::uint64_t begin = platform::now_ns(); platform::now_ns() == begin;) {
      }
    }
    EXPECT_EQ(own.going_on(), platform::ledger::base);
    EXPECT_EQ(own.spent(account_part::stealing) != before, are_told);
  }
  platform::bind_ledger(nullptr);
}

TEST(ledger, measures_the_blocks_in_a_measured_put) {
  platform::ledger own;
  platform::bind_ledger(&own);
  own.until_allocation_is_timed = 5;
  {
    const platform::sampled_event put(own, own.puts);
    platform::system_release(platform::system_allocate(64), 64);
  }
  platform::bind_ledger(nullptr);
  EXPECT_EQ(own.puts.measured.value(), 1u);
  EXPECT_EQ(own.until_allocation_is_timed, 5u);
  EXPECT_GT(own.spent(account_part::system_memory), 0u);
  EXPECT_EQ(own.memory(), own.spent(account_part::system_memory)) << "they stand for no others";
}

TEST(ledger, takes_estimated_memory_off_the_part_that_it_was_in) {
  platform::ledger own;
  own.restart(0);
  own.add_estimated_memory(70);
  std::uint64_t spent[account_part_count];
  own.read(0, 100, spent);
  EXPECT_EQ(of(spent, account_part::outside_runs), 30u);
  EXPECT_EQ(of(spent, account_part::system_memory), 70u);
  own.read(0, 50, spent);
  EXPECT_EQ(of(spent, account_part::system_memory), 50u);
}

TEST(ledger, tells_a_slow_event_from_one_that_lost_its_processor) {
  platform::ledger::typical events;
  EXPECT_TRUE(events.is(100));
  EXPECT_FALSE(events.is(4'000'000));
  EXPECT_TRUE(events.is(100));
  EXPECT_FALSE(events.is(20'000));
  EXPECT_TRUE(events.is(30'000)) << "it is so each time";
}

TEST(ledger, means_events_without_a_product_that_is_too_large) {
  platform::ledger::sampled puts;
  puts.measured.set(1'000'000);
  puts.spent_ns.set(50'500'000);
  EXPECT_EQ(puts.estimate(1'000'000'000'000), 50'500'000'000'000u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE
