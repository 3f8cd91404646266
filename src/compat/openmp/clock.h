// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A member's time, with TEFF_STATS=1: what it goes into, by activity, by part of the account, and by place (sites.h).
#pragma once

#include "compat/openmp/sites.h"

namespace TEFF_NAMESPACE::openmp {

/// What a member's time goes into.
enum class activity : std::uint8_t { implicit, task, runtime, idle };
inline constexpr unsigned activities = 4;

/// A task that is measured, on the stack of who runs it.
struct measured_frame {
  const void* code;
  std::uint64_t outer_own, outer_looks;
  activity before;
};

/// A member's time in regions. Written by its thread; read by who prints, at the end of the process, and, what is said so of,
/// by the region's opener when all have come to its end. [barrier]
class activity_clock {
 public:
  /// `account`: the member's, which goes on while this runs.
  explicit activity_clock(platform::ledger& account) : account_(account) {}

  /// Effect: the time since the last change went into what was going on. Returns: what that was.
  activity change(activity next);
  /// Effect: a region is about to begin, whose member 0 this is.
  void open() { began_ = platform::now_ns(); }
  /// Effect: the member begins its part of that region.
  void start(const void* region);
  /// Effect: its time is no more the region's: that is over for the member, or it has opened another one.
  void stop();
  void resume();

  /// Effect: a task begins, or ends, on this member's thread.
  void begin_task(measured_frame& frame, const void* code);
  void end_task(const measured_frame& frame);
  /// Effect: so many iterations of a taskloop become tasks.
  void count_loop(const void* code, std::uint64_t iterations) {
    sites.tasks.at({code, region_})[task_numbers::iterations].add(iterations);
  }
  /// Effect: a wait for a lock begins, or ends: no time of the task.
  void begin_wait() { change(now_); }
  void end_wait(const lock_place& where);
  /// Effect: the time until now is in all sums.
  void bring_up_to_date() { change(now_); }
  /// Effect: the region, which the member has opened, is over, but for its own time.
  void end_region(const team& over);

  platform::statistic at_once;     ///< tasks that ran without a stay in the pool
  platform::statistic beyond_one;  ///< of the weight of tasks that ended
  platform::statistic moved;       ///< tasks that another member had put
  member_sites sites;

  std::uint64_t spent(activity on) const { return spent_[static_cast<unsigned>(on)].value(); }
  std::uint64_t changes(activity from) const { return changes_[static_cast<unsigned>(from)].value(); }
  const void* region() const { return region_; }

 private:
  static account_part part_of(activity on) {
    if (on == activity::runtime) return account_part::put_get;
    return on == activity::idle ? account_part::searching_alone : platform::ledger::program;
  }
  void go_on();
  /// Effect: the part of the account changes with the activity. Returns: now. Cost: one look at the clock.
  std::uint64_t look(activity next);
  /// Returns: how much of the time until `now`, which began at the last change, the thread had no processor and did not sleep, at
  /// least; of a short time nothing.
  std::uint64_t lost_until(std::uint64_t now);
  std::uint64_t accounted() const {
    std::uint64_t sum = 0;
    for (unsigned which = 0; which < account_part_count; ++which) sum += account_.spent(static_cast<account_part>(which));
    return sum;
  }
  std::uint64_t slept() const {
    return platform::account_ns(account_.spent(account_part::parked) + account_.spent(account_part::being_woken));
  }
  /// Effect: what was spent since go_on() is the region's.
  void leave_to_region();

  platform::ledger& account_;
  platform::statistic spent_[activities], changes_[activities];
  std::uint64_t since_ = 0;
  std::uint64_t accounted_ = 0;                             ///< the sum of all parts of the account at that time, if it runs
  std::uint64_t looked_ = 0, had_run_ = 0, had_slept_ = 0;  ///< when it was looked for how long the thread had run; and that
  std::uint64_t task_own_ = 0, task_looks_ = 0;             ///< of the task that runs, until the last change
  activity now_ = activity::implicit;
  bool runs_ = false;

  // Of the region. The opener reads these.
  platform::statistic own_, longest_task_, longest_code_, tasks_, overhead_, overhead_looks_, lost_own_, lost_other_, lost_idle_;
  const void* region_ = nullptr;
  std::uint64_t began_ = 0;
  std::uint64_t parts_before_[account_part_count] = {}, changes_before_[activities] = {};
};

/// Effect: for a scope, a member's time goes into something. `clock` may be nullptr: then nothing is measured.
class timed {
 public:
  [[gnu::always_inline]] timed(activity_clock* clock, activity on) : clock_(clock) {
    if (clock_ != nullptr) [[unlikely]]
      before_ = clock_->change(on);
  }
  [[gnu::always_inline]] ~timed() {
    if (clock_ != nullptr) [[unlikely]]
      clock_->change(before_);
  }
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

 private:
  activity_clock* const clock_;
  activity before_ = activity::implicit;
};

/// For a scope, in which the calling thread waits for a lock.
class timed_lock_wait {
 public:
  explicit timed_lock_wait(const lock_place& where);
  ~timed_lock_wait();
  timed_lock_wait(const timed_lock_wait&) = delete;
  timed_lock_wait& operator=(const timed_lock_wait&) = delete;

 private:
  const lock_place where_;
  activity_clock* clock_ = nullptr;
};

/// Effect: measures what a look at the clock costs. Pre: nothing is measured yet.
void measure_look();
/// Returns: that.
std::uint64_t look_ns();

}  // namespace TEFF_NAMESPACE::openmp
