// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A member's clock, by itself, where it pauses.
#include "compat/openmp/clock.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {
namespace {

void spin(std::uint64_t ns) {
  for (const std::uint64_t begin = platform::now_ns(); platform::now_ns() - begin < ns;) {
  }
}

/// A member that is idle in a call of a region, but for tasks that it steals, one by one.
class thief {
 public:
  /// `tasks_before`: that the region's last call had, for each member.
  explicit thief(std::uint64_t tasks_before = 0) {
    clock.regions->at({this, nullptr})[region_numbers::last_tasks].set(tasks_before);
    clock.open(this);
    clock.start();
    clock.change(activity::idle);
  }
  ~thief() { clock.end(); }
  thief(const thief&) = delete;
  thief& operator=(const thief&) = delete;

  void run_task() {
    {
      const platform::account_scope stealing(account_part::stealing);
      spin(theft_ns);
    }
    measured_frame frame;
    clock.begin_task(frame, this);
    spin(task_ns);
    clock.end_task(frame);
  }
  /// Effect: runs tasks until it pauses. Returns: how many.
  unsigned run_until_it_pauses() {
    unsigned tasks = 0;
    for (; !clock.pauses() && tasks < 1'000'000; ++tasks) run_task();
    return tasks;
  }
  std::uint64_t stolen() const { return account.spent(account_part::stealing); }
  /// Returns: time with a processor.
  std::uint64_t busy() const {
    return stolen() + account.spent(account_part::own_work) + account.spent(account_part::put_get) +
           account.spent(account_part::searching_alone);
  }

  static constexpr std::uint64_t theft_ns = 10'000, task_ns = 200;
  platform::ledger account;
  activity_clock clock{account, nullptr};
};

TEST(clock, measures_fewer_tasks_behind_a_call_of_many) {
  EXPECT_GE(thief(0).run_until_it_pauses(), measured_first);
  EXPECT_GE(thief(many_tasks - 1).run_until_it_pauses(), measured_first);
  EXPECT_LT(thief(many_tasks).run_until_it_pauses(), measured_first);
  EXPECT_GE(thief(many_tasks).run_until_it_pauses(), measured_again - 1);
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

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
