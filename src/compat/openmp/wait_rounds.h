// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long a member has waited: what it looks at, and whether it sleeps, goes by that.
#pragma once

#include "platform/foreign.h"
#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

/// Whether it pays to give the processor away in waits. It does where only members want it, those that wait, too, or those that
/// are waited for. Another program keeps it for a time slice: then it is better to sleep, as a thread that is woken gets a
/// processor before those that use theirs up, and one that gave it away comes last.
class yield_gauge {
 public:
  /// `processors`: for the process.
  explicit yield_gauge(unsigned processors) : processors_(processors) {}

  bool pays(std::uint64_t now) const { return now >= sleeps_until_; }
  /// Effect: learns that the first round of a wait was quick. A time slice costs what a hundred waits gain, so it is believed
  /// slowly.
  void round_was_quick(std::uint64_t now) {
    if (pause_ns_ == 0) return;
    pause_ns_ = pause_ns_ < tuning::yields_paused_ns ? 0 : pause_ns_ - pause_ns_ / 8;
    sleeps_until_ = now + pause_ns_;
  }
  /// Effect: learns that the processor came back late, now, when the threads of the process have run for `ran` in all. If others
  /// have run as well since it did so before, for some ticks of the clock, but not long ago, it does not pay for a while, and for
  /// longer each time. It may have been in another wait then, as whom one is for often comes meanwhile.
  void round_was_long(std::uint64_t now, std::uint64_t ran) {
    const std::uint64_t passed = now - came_back_;
    if (passed < tuning::gauged_ns) return;
    const std::uint64_t of_process = ran - std::exchange(ran_, ran);
    came_back_ = now;
    if (passed > 4 * std::uint64_t{tuning::gauged_ns} || of_process >= passed * processors_ / 16 * 13) return;
    pause_ns_ = std::clamp<std::uint64_t>(4 * pause_ns_, tuning::yields_paused_ns, tuning::yields_paused_at_most_ns);
    sleeps_until_ = now + pause_ns_;
  }

 private:
  unsigned processors_;
  std::uint64_t pause_ns_ = 0, sleeps_until_ = 0;
  std::uint64_t came_back_ = 0, ran_ = 0;
};

/// The rounds of a wait, numbered from 0. A step is one round, or several at once where it took long.
class wait_rounds {
 public:
  static constexpr unsigned for_ever = std::numeric_limits<std::int32_t>::max();

  /// `limit`: as many are spun. `gauge`: of a member of a crowded team, whose waits give the processor away; else nullptr.
  wait_rounds(unsigned limit, yield_gauge* gauge) : limit_(limit), gauge_(gauge) {}

  /// Effect: begins anew at round number `number`.
  void begin_at(unsigned number) {
    first_ = number;
    end_ = number + 1;
    away_since_ = 0;
    begins_ = true;
  }
  /// The same, behind a sleep. `hurries`: not far from the next one.
  void begin_behind_sleep(bool hurries) {
    begin_at(hurries && limit_ > 1 ? limit_ - std::min(limit_ / 2, (tuning::crowded_spin_rounds + 1) / 2) + 1 : 1);
  }
  /// Effect: a round has passed in which something was done.
  void pass() {
    first_ = end_++;
    away_since_ = 0;
  }
  /// Effect: one has passed for which the processor was away so long: several ones in a wait that may be a long one.
  void pass_away(std::uint64_t ns) {
    first_ = end_++;
    if (limit_ > tuning::first_force) end_ += static_cast<unsigned>(ns / tuning::ns_per_long_round);
  }

  /// Returns: whether the wait goes on without a sleep.
  bool may_spin() {
    if (std::exchange(begins_, false) && is_gauged()) {
      away_since_ = platform::now_ns();
      sleeps_ = !gauge_->pays(away_since_);
      is_first_ = true;
    }
    return first_ < limit_ && !sleeps_;
  }
  /// Effect: lets a round pass. Who gives the processor away, and goes on without having slept, has spared a call of the system,
  /// and itself being placed anew; whom the wait is for may be among those that want it. Pre: may_spin() has said so.
  void spin() {
    if (gauge_ != nullptr) return give_processor_away();
    platform::pause();
    pass();
  }

  /// Returns: whether the wait has not come to that round.
  bool are_before(unsigned number) const { return first_ < number; }
  /// Returns: whether a multiple of the number, which is not 0, is among the rounds of this step.
  bool have_multiple_of(unsigned apart) const { return first_ % apart == 0 || first_ / apart != (end_ - 1) / apart; }
  /// Returns: whether 0, or a power of two, is.
  bool have_power_of_two() const { return first_ == 0 || std::bit_width(first_ - 1) != std::bit_width(end_ - 1); }
  /// Returns: whether a wait that goes on spinning looks now as one does that is about to sleep: at what others keep to
  /// themselves. They may be in a long task, and as nobody sleeps, nothing else makes them share.
  bool are_time_to_force() const {
    return end_ > tuning::first_force && (have_power_of_two() || have_multiple_of(tuning::forces_apart));
  }
  /// Returns: whether a wait for any task looks now whether others keep some to themselves: ever more seldom, unless it owes a
  /// call.
  bool are_for_kept_tasks(bool owes) const {
    return end_ > tuning::first_for_kept_tasks && (owes ? have_multiple_of(tuning::first_for_kept_tasks) : have_power_of_two());
  }

 private:
  bool is_gauged() const { return gauge_ != nullptr && limit_ != for_ever; }
  void give_processor_away() {
    const bool is_first = std::exchange(is_first_, false);
    const std::uint64_t before = away_since_ != 0 ? away_since_ : platform::now_ns();
    platform::yield_processor();
    away_since_ = platform::now_ns();  // one look at the clock is enough for the next round
    pass_away(away_since_ - before);
    if (!is_gauged()) return;
    if (away_since_ - before >= tuning::long_yield_ns) {
      gauge_->round_was_long(away_since_, platform::processor_time_of_process_ns());
      sleeps_ = !gauge_->pays(away_since_);
    } else if (is_first) {
      gauge_->round_was_quick(away_since_);
    }
  }

  const unsigned limit_;
  yield_gauge* const gauge_;
  unsigned first_ = 0, end_ = 1;
  bool begins_ = true, is_first_ = false, sleeps_ = false;
  std::uint64_t away_since_ = 0;  ///< when the round began, if that is known: the one before gave the processor away; else 0
};

static_assert((tuning::first_force.standard & (tuning::first_force.standard - 1)) == 0);  // a step beyond it has a power of two

}  // namespace TEFF_NAMESPACE::openmp
