// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/hang.h"
#include "fiber/timer.h"
#include "platform/platform.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE::workers {

class team_base;

/// Says why nothing happens in a run: at its end, if it is stuck; while it goes on, if only somebody outside could let it go on,
/// or if the watchdog finds no progress.
///
/// Idea: both looks during a run are made by the timers' thread, the first one a second after all workers fell asleep with tasks
/// that wait.
/// Invariants: the order of locks is the team's outside_lock, lock_, the timers' lock.
/// Cost: nothing while tasks run.
class watchdog {
 public:
  /// `watchdog_ns` without progress are a reason to speak; 0: none is.
  watchdog(team_base& team, std::uint64_t watchdog_ns);
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  void begin_run();
  /// Post: nothing is said any more. Pre: all workers have left.
  void end_run();
  /// Effect: if all still sleep in a second, says so, once in a run. Pre: the team's outside_lock is held.
  void expect_outsider();
  /// Whether each fiber that is set aside waits for something that only a task of this team can end; false if there is no memory
  /// to tell. Pre: the team's outside_lock is held, and all its workers sleep.
  bool nobody_can_help() const;
  /// Returns: why the run that has just ended is stuck: the text that is put into `kept`, or, where there is no memory for that,
  /// a shorter one. Threads: the caller of run; who ends the process.
  std::string_view explain_end(std::string& kept) const noexcept;

 private:
  struct alarm : fibers::timer {
    watchdog& of;
    bool armed = false;      ///< under lock_
    bool to_cancel = false;  ///< under lock_: it was armed in this run
    alarm(watchdog& of, void (*fire)(timer&)) : timer{0, fire, false}, of(of) {}
  };

  void set(alarm& which, std::uint64_t delay_ns) TEFF_REQUIRES(lock_);
  void look_whether_quiet();
  void look_for_progress();
  std::string text_if_quiet();
  std::string text_without_progress() const;
  /// The same, of fibers that are not ready.
  bool all_waits_are_for_own_tasks() const;
  /// Whether a task waits for children that another team may have, and this one has not. Pre: as nobody_can_help. False
  /// if there is no memory to tell.
  bool children_may_be_elsewhere() const;
  /// Returns: tasks that were created and have not finished. Negative if the pool gave some of them twice.
  std::int64_t tasks_left() const;

  team_base& team_;
  const std::uint64_t watchdog_ns_;
  platform::lock lock_;
  bool active_ = false;         ///< under lock_: a run goes on
  bool outsider_told_ = false;  ///< under lock_
  std::uint32_t wakes_ = 0;     ///< under lock_: the count when the alarm was set
  alarm quiet_;
  alarm watchdog_;
  // Of the timers' thread while a run goes on:
  std::uint64_t last_progress_ = 0;
  std::uint64_t since_ns_ = 0;
  bool told_ = false;
};

}  // namespace TEFF_NAMESPACE::workers
