// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A member's time, with TEFF_STATS=1: what it goes into, by activity, by part of the account, and by place (sites.h).
///
/// *Idea* Each change of activity looks at the clock, which takes a few tens of ns: too much beside a task of 1 us. So once it is
/// known that tasks are fine, the member *pauses*: of 2,048 tasks in a row, in the mean, it measures 16, which stand for all, and
/// counts the others. Searches for a task that find none at first are looked at in a pause, too; what else lies between two
/// looks, thefts among it, is divided as the measured time was. A task that is not fine in a row of those that are is found by
/// ticks (ticks.h), if it is twice as long as they are apart; and a pause ends where a tick shows much time unlike what was
/// measured. A call of a region that is only counted (region_calls.h) is one pause. *Cost* In a pause 6 to 8 ns for each task,
/// and two looks at the coarse clock if nobody else makes ticks. No locked instruction.
#pragma once

#include "base/cache_line.h"
#include "compat/openmp/region_calls.h"
#include "compat/openmp/sites.h"
#include "compat/openmp/ticks.h"

#include <memory>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

/// A member's time in regions. Written by its thread; read by who prints, at the end of the process, and, what is said so of,
/// by the region's opener when all have come to its end. [barrier]
class activity_clock {
 public:
  /// `account`: the member's, which goes on while this runs. `first`: the clock of the team's member 0, which may be this one.
  activity_clock(platform::ledger& account, const activity_clock* first)
      : regions(first == nullptr ? new opened_sites : nullptr), account_(account), first_(first != nullptr ? *first : *this) {}

  /// Effect: the time since the last change went into what was going on. Returns: what that was.
  activity change(activity next) { return change(next, false); }
  /// As change, of what is done for each task: in a pause the clock is not looked at.
  activity pass(activity next) {
    if (looks_) return change(next);
    passed_ = true;
    return std::exchange(now_, next);
  }
  /// Effect: who waits has found no task, and searches until one begins, or the wait is over: in a pause, too. Pre: it is idle.
  void search() {
    if (!searches_) change(activity::idle, true);
  }
  /// Effect: a region is about to begin, whose member 0 this is. Nobody begins its tasks before.
  void open(const void* region);
  /// Effect: the member begins its part of that region.
  void start();
  /// Effect: its time is no more the region's: it has opened another one, or, in time, goes on.
  void stop();
  void resume();
  /// Effect: the region is over for the member, whose opener has its numbers.
  void end();

  /// Effect: in a child of fork(), nothing has happened yet in the call of a region that it is in.
  void begin_anew();

  /// Whether a task that begins next is in a pause: then what the runtime does around it need not be told, as nobody times it.
  bool pauses() const { return pauses_ && until_turn_ != 1; }
  /// Returns: what pauses() does. Effect: if so, the clock knows that something passed, but not what.
  bool pass_by() { return pauses() && (passed_ = true); }
  /// Effect: a task begins, or ends, on this member's thread. In line: one in a pause, of the same code as the last one.
  [[gnu::always_inline]] void begin_task(measured_frame& frame, const void* code) {
    frame.code = code;
    if (looks_ || code != last_code_ || call_ != first_.opened_.number || until_turn_ == 1) [[unlikely]]
      return begin_any_task(frame);
    --until_turn_;
    begin_unlooked(frame);
  }
  [[gnu::always_inline]] void end_task(measured_frame& frame) {
    if (!pauses_ || frame.code != last_code_) [[unlikely]]
      return end_any_task(frame);
    count_task(*last_site_);
    end_unlooked(frame);
  }
  /// Returns: what tasks of its place take in the mean.
  std::uint64_t usual_ns(const measured_frame& frame);
  /// Effect: a chain of tasks that depend on one another ends for now with that one: so long it took.
  void end_chain(const measured_frame& frame, std::uint64_t ns);
  /// Effect: so many iterations of a taskloop become tasks.
  void count_loop(const void* code, std::uint64_t iterations);
  /// Effect: the time until now is in all sums.
  void bring_up_to_date() { change(now_); }
  /// Effect: a wait for a lock ends, that began then: no time of the task.
  void end_wait(const wait_place& where);
  /// Effect: a wait that is over took so long.
  void count_wait(const wait_place& where, std::uint64_t ns);
  /// Effect: the region, which the member has opened, is over, but for its own time.
  void end_region(const team& over);

  platform::statistic at_once;     ///< tasks that ran without a stay in the pool
  platform::statistic beyond_one;  ///< of the weight of tasks that ended
  platform::statistic moved;       ///< tasks that another member had put
  platform::statistic tasks_own;   ///< own time of tasks, in ns
  member_sites sites;
  const std::unique_ptr<opened_sites> regions;  ///< of member 0

  // Both also with what a member that is still in a region's last barrier, when the process ends, spent there until all had come.
  std::uint64_t spent(activity on) const;
  void read_account(std::uint64_t (&parts)[account_part_count]) const;
  std::uint64_t changes(activity from) const { return changes_[static_cast<unsigned>(from)].value(); }

 private:
  activity change(activity next, bool searches);
  /// Effect: from now on the clock is looked at when what goes on changes, and the account at thefts, or not at either.
  void set_looks(bool looks);
  /// In a pause the account has all time but searches as the program's, until it is divided.
  account_part part_of(activity on) const {
    if (on <= activity::task || !looks_) return platform::ledger::program;
    return on == activity::runtime ? account_part::put_get : account_part::searching_alone;
  }
  void go_on();
  /// Effect: the part of the account changes with the activity. Returns: now. Cost: one look at the clock.
  std::uint64_t look(activity next);
  /// What the thread, while it was ready, had no processor for: all, and what was not idle time.
  struct lost {
    std::uint64_t all, busy;
  };
  /// Returns: that since the last call.
  lost take_lost();
  std::uint64_t accounted() const, slept() const;
  /// Effect: so long it was that activity; of that, `own` with a processor.
  void add_looked_at(activity on, std::uint64_t spent, std::uint64_t own, bool searched);
  /// Effect: what was spent since go_on() is kept for the region.
  void keep_account();
  /// Effect: so long a region lasted that the task which runs has opened.
  void add_inner(std::uint64_t ns);
  /// Effect: what was counted in the call is added, which is over for all.
  void add_to(call_sums& sums, std::uint64_t ended_ns);
  account_part waits_in() const;
  std::uint64_t looks_since(activity on) const {
    return changes_[static_cast<unsigned>(on)].value() - changes_before_[static_cast<unsigned>(on)];
  }
  void remember_account();
  /// Effect: what is counted is that of the call of a region which the team is in, from its first task or its start on.
  void begin_call();
  void clear_call();
  void measure_first();
  /// Whether the call took longer until the last look than others.
  bool is_unlike() const { return since_.value() > unlike_from_; }
  bool is_to_be_measured() const { return is_counted_ && is_unlike(); }
  site<task_numbers>& site_of(const void* code);

  void begin_any_task(measured_frame& frame);
  void end_any_task(measured_frame& frame);
  void count_task(site<task_numbers>& of) {
    of[task_numbers::tasks].add(1);
    tasks_.add(1);
  }

  // Of pauses.
  /// Effect: a task begins, or ends, at which the clock is not looked at.
  void begin_unlooked(measured_frame& frame) {
    is_at_tick();
    ++unlooked_;
    frame.stretch = stretch_;
    frame.before = std::exchange(now_, activity::task);
  }
  void end_unlooked(measured_frame& frame) {
    frame.ns = 0;
    if (is_at_tick()) [[unlikely]]
      find_long(frame);
    pass(frame.before);
  }
  /// Effect: a pause begins, if tasks are fine, or ends.
  void turn();
  /// Effect: for so many tasks each that is measured stands for so many; 0: it is a pause.
  void begin_stretch(std::uint32_t tasks, std::uint64_t stands_for);
  /// Effect: time of that kind was measured that stands for others.
  void add_alike(unsigned kind, std::uint64_t ns);
  /// Effect: time in a pause, that nobody has looked at, is divided.
  void divide(std::uint64_t spent);
  /// Effect: from now on it is such time.
  void begin_to_divide();
  /// Returns: whether a tick came since the last such look. Effect: then the time until now is divided.
  bool is_at_tick() {
    const std::uint64_t now = ticks.last();
    if (now == ticked_) [[likely]]
      return false;
    divide_at_tick(now);
    return true;
  }
  void divide_at_tick(std::uint64_t tick);
  void see_tick(std::uint64_t tick);
  void doubt_ticks();
  /// Effect: what was too long for what was divided last is the task's that ends.
  void find_long(measured_frame& frame);
  void add_measured(site<task_numbers>& of, const void* code, std::uint64_t ns, std::uint64_t stands_for, bool opens);

  platform::ledger& account_;
  const activity_clock& first_;
  platform::statistic spent_[activities], changes_[activities];
  platform::statistic since_;
  std::uint64_t accounted_ = 0;                             ///< the sum of all parts of the account at that time, if it runs
  std::uint64_t lost_ = 0, lost_busy_ = 0;                  ///< what take_lost has given
  std::uint64_t task_own_ = 0, task_looks_ = 0;             ///< of the task that runs, until the last change
  std::uint64_t stopped_ = 0;                               ///< when it opened a region inside of the one it is in; 0: it has not
  bool task_opens_ = false;                                 ///< the task that runs did
  bool runs_ = false;

  // What each task in a pause reads or writes lies together.
  alignas(cache_line_bytes) bool looks_ = true;  ///< at each change: it does not pause, or searches
  bool pauses_ = false, searches_ = false;
  bool has_looked_ = false;  ///< it pauses, and is about to end that
  bool passed_ = false;      ///< what goes on has changed since the last look at the clock, by more than a task's begin
  activity now_ = activity::implicit;
  std::uint32_t stretch_ = 0;                ///< the number of the pause, or of all between two, in which all is measured
  std::uint32_t until_turn_ = 1;             ///< tasks until it is over
  std::uint64_t unlooked_ = 0;               ///< tasks that began since the last look at the clock
  std::uint64_t ticked_ = 0;                 ///< the last tick that was seen
  const void* last_code_ = nullptr;          ///< the last one that site_of was asked for in this call
  site<task_numbers>* last_site_ = nullptr;
  std::uint64_t call_ = 0;     ///< of a region: which one
  platform::statistic tasks_;  ///< in it

  std::uint32_t stretch_tasks_ = 1;                   ///< in the stretch, in all; 0: a tick has ended a pause
  std::uint64_t stretch_spent_ = 0;                   ///< if it is no pause: the time in it, without searches
  std::uint64_t stands_for_ = 1;                      ///< so many tasks, one that is measured
  std::uint64_t measured_[time_kinds] = {};           ///< time, the last stretches counting most, without long ones and looks
  std::uint64_t measured_tasks_ = 0;                  ///< in it
  std::uint64_t excess_ = 0;                          ///< of what was divided last: so much was not as what was measured
  std::uint64_t ticked_before_ = 0;                   ///< the tick seen before the one of the last division
  std::uint64_t ticked_ns_ = 0;                       ///< the time when the last tick was seen, or doubted
  bool doubts_ticks_ = false;                         ///< none came for long
  std::uint64_t divided_program_ = 0, divided_slept_ = 0;  ///< of the account, when that began

  // Of the call of a region.
  bool is_counted_ = false;            ///< only (region_calls.h)
  std::uint64_t unlike_from_ = 0;      ///< when it is no more like others
  std::uint64_t call_stands_for_ = 1;  ///< if it is more: for so many calls each task of it that is measured does

  // Of the region. The opener reads these.
  platform::statistic own_, implicit_, longest_task_, longest_code_, chain_, chain_code_, overhead_, overhead_looks_, lost_idle_,
      inner_, short_searches_, short_thefts_, looked_tasks_, looks_in_vain_, came_;
  platform::statistic kept_parts_[account_part_count], kept_looks_[activities];  ///< until it opened regions inside
  /// Whether it searches. [search] Release by the member, behind all of its numbers; acquire by the opener, which reads its parts
  /// of the account then: of who does not search they have all searches.
  platform::atomic<bool> searching_{false};
  const void* region_ = nullptr;
  std::uint64_t searched_before_ = 0, stolen_before_ = 0;  ///< in the account, until the last change
  std::uint64_t parts_before_[account_part_count] = {}, changes_before_[activities] = {};

  // By the opener, when a region is over: when that was, and what the member's account comes to then, outside_runs left out.
  platform::statistic ended_, ends_with_;

  // Of member 0: the one that the team is in, or was in last. Others read it in that, behind [send] or by one of its tasks.
  region_call opened_;
};

}  // namespace TEFF_NAMESPACE::openmp
