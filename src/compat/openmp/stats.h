// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What TEFF_STATS=1 measures: STATS.md says what is printed.
#pragma once

#include "platform/platform.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

struct team;

/// What a member's time goes into.
enum class activity : std::uint8_t { implicit, task, runtime, idle };
inline constexpr unsigned activities = 4;

/// A member's time in regions, by activity. Written by its thread, read by who prints, at the end of the process.
class activity_clock {
 public:
  /// `account`: the member's, which goes on while this runs.
  explicit activity_clock(platform::ledger& account) : account_(account) {}

  /// Effect: the time since the last change went into what was going on. Returns: what that was.
  activity change(activity next) {
    if (runs_) account_.enter(part_of(next));
    const std::uint64_t now = platform::now_ns();
    if (runs_) spent_[static_cast<unsigned>(now_)].add(now - since_);
    changes_[static_cast<unsigned>(now_)].add(1);
    since_ = now;
    const activity before = now_;
    now_ = next;
    return before;
  }
  void start() {
    runs_ = false;
    change(activity::implicit);
    go_on();
  }
  void stop() {
    if (runs_) {
      change(now_);
      platform::bind_ledger(nullptr);
    }
    runs_ = false;
  }
  void resume() {
    runs_ = false;
    change(now_);
    go_on();
  }

  platform::statistic at_once;     ///< tasks that ran without a stay in the pool
  platform::statistic beyond_one;  ///< of the weight of tasks that ended
  platform::statistic moved;       ///< tasks that another member had put

  std::uint64_t spent(activity on) const { return spent_[static_cast<unsigned>(on)].value(); }
  std::uint64_t changes(activity from) const { return changes_[static_cast<unsigned>(from)].value(); }

 private:
  static account_part part_of(activity on) {
    if (on == activity::runtime) return account_part::put_get;
    return on == activity::idle ? account_part::searching_alone : platform::ledger::program;
  }
  void go_on() {
    runs_ = true;
    platform::bind_ledger(&account_);
    account_.enter(part_of(now_));
  }

  platform::ledger& account_;
  platform::statistic spent_[activities], changes_[activities];
  std::uint64_t since_ = 0;
  activity now_ = activity::implicit;
  bool runs_ = false;
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

/// Effect: from now on there is something to say at the end of the process: its pool and why it has so many threads.
void begin_statistics(const std::string& pool, const char* why);
/// Returns: where the regions of this process are counted besides, out of a list as base/region_count.h describes it. Files that
/// are no more, or are others by now, are left out.
std::vector<platform::atomic<std::uint64_t>*> open_region_counts(std::string_view files);
/// Effect: counts a region. `asked`: the program said how many threads.
void count_region(unsigned size, bool asked);
/// Effect: the team's members are added up at the end. Pre: it is destroyed after forget_team, which keeps its numbers.
void remember_team(team& measured);
void forget_team(team& measured);

}  // namespace TEFF_NAMESPACE::openmp
