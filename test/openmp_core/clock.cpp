// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A member's clock, by itself, where it pauses.
#include "compat/openmp/clock.h"

#include "compat/openmp/team.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

namespace TEFF_NAMESPACE::openmp {
namespace {

void spin(std::uint64_t ns) {
  for (const std::uint64_t begin = platform::now_ns(); platform::now_ns() - begin < ns;) {
  }
}

/// The only member of a team, idle in a call of a region but for tasks that it steals, one by one.
class thief {
 public:
  /// `tasks_before`: that the region's last call had, for each member.
  explicit thief(std::uint64_t tasks_before = 0) {
    region()[region_numbers::last_tasks].set(tasks_before);
    begin_call();
  }
  ~thief() { clock.end(); }
  thief(const thief&) = delete;
  thief& operator=(const thief&) = delete;

  void begin_call() {
    clock.open(this);
    clock.start();
    clock.change(activity::idle);
  }
  void end_call() {
    clock.end_region(alone);
    clock.end();
  }
  void steal() const {
    const platform::account_scope stealing(account_part::stealing);
    spin(theft_ns);
  }
  void run_task() {
    steal();
    run_stolen_task();
  }
  void run_stolen_task() {
    measured_frame frame;
    clock.begin_task(frame, this);
    spin(task_ns);
    clock.end_task(frame);
  }
  /// Effect: runs tasks until it pauses. Returns: how many.
  unsigned run_until_it_pauses() {
    unsigned tasks = 0;
    for (; !clock.pauses() && tasks < 20 * measured_first; ++tasks) run_task();
    return tasks;
  }
  /// Effect: tasks for which it has searched in vain first. Returns: what stealing them took.
  std::uint64_t search_for_tasks(unsigned tasks) {
    std::uint64_t taken = 0;
    for (unsigned task = 0; task < tasks; ++task) {
      clock.search();
      const std::uint64_t before = stolen();
      steal();
      taken += stolen() - before;
      run_stolen_task();
    }
    return taken;
  }
  /// Returns: the region's numbers.
  site<region_numbers>& region() { return clock.regions->at({this, nullptr}); }
  std::uint64_t stolen() const { return account.spent(account_part::stealing); }
  /// Returns: time with a processor.
  std::uint64_t busy() const {
    return stolen() + account.spent(account_part::own_work) + account.spent(account_part::put_get) +
           account.spent(account_part::searching_alone);
  }

  static constexpr std::uint64_t task_ns = 200;
  std::uint64_t theft_ns = 10'000;
  team alone{1};
  platform::ledger& account = alone[0].account;
  activity_clock& clock = *(alone[0].clock = new activity_clock(account, nullptr));  // the team's
};

TEST(clock, measures_fewer_tasks_behind_a_call_of_many) {
  EXPECT_GE(thief(0).run_until_it_pauses(), measured_first);
  EXPECT_GE(thief(many_tasks - 1).run_until_it_pauses(), measured_first);
  EXPECT_LT(thief(many_tasks).run_until_it_pauses(), measured_first);
  EXPECT_GE(thief(many_tasks).run_until_it_pauses(), measured_again - 1);  // the last one may begin without a look
}

TEST(clock, measures_as_many_tasks_as_first_when_begun_anew) {
  thief tried(many_tasks);
  tried.clock.begin_anew();
  EXPECT_GE(tried.run_until_it_pauses(), measured_first);
}

TEST(clock, tells_thefts_apart_that_end_a_search_in_vain) {
  thief tried;
  std::uint64_t behind_searches = 0;
  constexpr unsigned calls = 2, tasks = 100;
  for (unsigned call = 0; call < calls; ++call) {
    if (call != 0) tried.begin_call();
    behind_searches += tried.search_for_tasks(tasks);
    tried.run_until_it_pauses();
    behind_searches += tried.search_for_tasks(tasks);
    tried.end_call();
  }
  EXPECT_GT(behind_searches, calls * 2 * tasks * tried.theft_ns);
  const std::uint64_t short_ones = tried.region()[region_numbers::short_thefts].value();
  EXPECT_EQ(short_ones, tried.stolen() - behind_searches);
  EXPECT_GT(short_ones, calls * measured_first / 2 * tried.theft_ns);
}

/// Nothing is known of such calls by others: what is told of thefts is those.
TEST(clock, tells_thefts_that_end_a_search_in_vain_of_calls_that_are_only_counted) {
  thief tried;
  std::uint64_t behind_searches = 0;
  unsigned counted = 0;
  for (unsigned call = 0; call < 100; ++call) {
    tried.clock.end();
    tried.region()[region_numbers::brief_calls].set(2 * calls_one_in);
    tried.begin_call();
    if (!tried.clock.pauses()) continue;  // one that is measured
    ++counted;
    behind_searches += tried.search_for_tasks(2);
    tried.run_task();
    tried.end_call();
    tried.clock.resume();
  }
  EXPECT_GT(counted, 50);
  site<region_numbers> told;
  estimate(told, tried.region());
  EXPECT_EQ(told.numbers[region_numbers::parts + static_cast<unsigned>(account_part::stealing)].value(), behind_searches);
}

/// In one of some rounds nothing else takes the processor.
TEST(clock, divides_time_in_which_something_has_passed) {
  thief tried(many_tasks);
  tried.run_until_it_pauses();
  bool is_divided = false;
  for (unsigned round = 0; round < 100 && !is_divided; ++round) {
    tried.clock.bring_up_to_date();
    const std::uint64_t before = tried.stolen();
    ASSERT_TRUE(tried.clock.pass_by());
    spin(runtime_at_most_ns / 4);
    tried.clock.bring_up_to_date();
    is_divided = tried.stolen() > before;
  }
  EXPECT_TRUE(is_divided);
}

/// A theft in the time of a task is the task's, as in a taskyield.
TEST(clock, has_a_tasks_thefts_as_its_own_time) {
  bool is_own = false;
  std::uint64_t stolen = 0;
  for (unsigned round = 0; round < 100 && !is_own; ++round) {
    thief tried(many_tasks);
    tried.theft_ns = 500;  // tasks are fine, though they have it
    tried.clock.change(activity::task);
    tried.run_until_it_pauses();
    if (!tried.clock.pauses()) continue;  // it has lost its processor
    tried.clock.bring_up_to_date();
    const std::uint64_t before = tried.stolen();
    for (unsigned task = 0; task < 200; ++task) tried.run_task();
    tried.clock.bring_up_to_date();
    stolen = tried.stolen() - before;
    is_own = stolen == 0;
  }
  EXPECT_TRUE(is_own) << stolen;
}

TEST(clock, looks_at_no_theft_in_a_pause_but_in_a_search) {
  thief tried(many_tasks);
  EXPECT_TRUE(tried.account.tells(account_part::stealing));
  tried.run_until_it_pauses();
  ASSERT_TRUE(tried.clock.pauses());
  EXPECT_FALSE(tried.account.tells(account_part::stealing));
  tried.clock.search();
  EXPECT_TRUE(tried.account.tells(account_part::stealing));
  tried.run_task();
  EXPECT_FALSE(tried.account.tells(account_part::stealing)) << "a task has ended the search";
}

/// Thefts take most of the time; looks at the clock take some of it, too, under a sanitizer as much. In one of some rounds
/// nothing else takes the processor.
TEST(clock, has_thefts_of_a_pause_by_those_that_were_measured) {
  std::uint64_t stolen = 0, busy = 0;
  bool is_so = false;
  for (unsigned round = 0; round < 100 && !is_so; ++round) {
    thief tried(many_tasks);
    tried.run_until_it_pauses();
    tried.clock.bring_up_to_date();
    const std::uint64_t stolen_before = tried.stolen(), busy_before = tried.busy();
    for (unsigned task = 0; task < 200; ++task) tried.run_task();
    if (!tried.clock.pauses()) continue;  // it has lost its processor
    tried.clock.bring_up_to_date();
    stolen = tried.stolen() - stolen_before;
    busy = tried.busy() - busy_before;
    is_so = stolen > busy / 8 * 5 && stolen < busy;  // half, if it were in other parts, too
  }
  EXPECT_TRUE(is_so) << stolen << " of " << busy << " ns are thefts";
}

/// What a member's tasks took is what their places are told: nothing of waits for locks, or of time without a processor.
TEST(clock, has_no_wait_for_a_lock_as_a_tasks_own_time) {
  thief tried;
  measured_frame frame;
  constexpr std::uint64_t waits_ns = 100'000;
  for (unsigned task = 0; task < 10; ++task) {
    tried.clock.begin_task(frame, &tried);
    spin(waits_ns);
    tried.clock.bring_up_to_date();
    spin(waits_ns);
    tried.clock.end_wait({&tried, wait_kind::lock});
    tried.clock.end_task(frame);
  }
  const std::uint64_t own = tried.clock.tasks_own.value();
  EXPECT_EQ(own, tried.clock.sites.tasks.at({&tried, &tried})[task_numbers::time].value());
  EXPECT_GE(tried.clock.spent(activity::task), own + 10 * waits_ns);
}

/// A member that has come to the region's last barrier, and nobody else; it is not woken before the process ends.
class left_behind {
 public:
  left_behind() {
    first_.open(this);
    first_.start();
    other_.start();
    other_.change(activity::idle);
    other_.search();
    spin(waits_ns);
  }
  ~left_behind() { other_.end(); }
  left_behind(const left_behind&) = delete;
  left_behind& operator=(const left_behind&) = delete;

  void end_region() { first_.end_region(two_); }
  /// Effect: it sleeps, until the scope ends.
  void sleep_until(const std::function<void()>& then) {
    const platform::account_scope asleep(account_part::parked);
    spin(waits_ns);
    then();
  }
  std::uint64_t of_region(account_part part) {
    return first_.regions->at({this, nullptr}).numbers[region_numbers::parts + static_cast<unsigned>(part)].value();
  }
  /// Returns: what both members are told to have spent.
  std::uint64_t told(account_part part) const {
    std::uint64_t sum = 0;
    for (const activity_clock* each : {&first_, &other_}) {
      std::uint64_t parts[account_part_count];
      each->read_account(parts);
      sum += parts[static_cast<unsigned>(part)];
    }
    return sum;
  }
  std::uint64_t idle() const { return other_.spent(activity::idle); }
  void leave() { other_.bring_up_to_date(); }

  static constexpr std::uint64_t waits_ns = 1'000'000;
  static constexpr std::uint64_t at_least = waits_ns / 2;  ///< to begin takes some time

 private:
  team two_{2};
  activity_clock& first_ = *(two_[0].clock = new activity_clock(two_[0].account, nullptr));  // the team's, both
  activity_clock& other_ = *(two_[1].clock = new activity_clock(two_[1].account, &first_));
};

TEST(clock, has_a_sleep_that_is_not_over_as_parked) {
  left_behind tried;
  tried.sleep_until([&] { tried.end_region(); });
  EXPECT_GE(tried.of_region(account_part::parked), tried.at_least);
  EXPECT_GE(tried.of_region(account_part::searching_alone), tried.at_least) << "the search before that";
}

TEST(clock, has_a_search_that_is_not_over_as_that) {
  left_behind tried;
  tried.end_region();
  EXPECT_GE(tried.of_region(account_part::searching_alone), tried.at_least);
  EXPECT_EQ(tried.of_region(account_part::parked), 0);
}

TEST(clock, tells_at_the_processs_end_what_a_member_has_spent_that_has_not_left_its_region) {
  left_behind searches;
  searches.end_region();
  EXPECT_GE(searches.idle(), searches.at_least);
  EXPECT_GE(searches.told(account_part::searching_alone), searches.at_least);
  const std::uint64_t idle = searches.idle();
  spin(searches.waits_ns);
  EXPECT_EQ(searches.idle(), idle) << "until the region's end";
  searches.leave();
  EXPECT_GE(searches.idle(), idle + searches.at_least) << "it has said itself what it spent";

  left_behind sleeps;
  sleeps.sleep_until([&] {
    sleeps.end_region();
    EXPECT_EQ(sleeps.told(account_part::parked), sleeps.of_region(account_part::parked));
    EXPECT_GE(sleeps.told(account_part::parked), sleeps.at_least);
    EXPECT_GE(sleeps.idle(), 2 * sleeps.at_least);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
