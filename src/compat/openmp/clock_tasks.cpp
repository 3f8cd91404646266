// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is measured of tasks, and what is not: clock.h.
#include "compat/openmp/clock.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// In simulation a look costs nothing, and no clock pauses.
template <class Ledger>
void tell_thefts(Ledger& account, [[maybe_unused]] bool are_told) {
  if constexpr (!platform::clock_is_free) account.tell_thefts(are_told);
}

}  // namespace

void activity_clock::set_looks(bool looks) {
  looks_ = looks;
  tell_thefts(account_, looks);
}

void activity_clock::begin_to_divide() {
  passed_ = false;
  unlooked_ = 0;
  if (!pauses_) return;
  divided_program_ = account_.spent(platform::ledger::program);
  divided_slept_ = slept();
}

/// Nothing else was looked at since the last look; so it is taken to be as what was measured, unless it took much longer.
void activity_clock::divide(std::uint64_t spent) {
  const auto at = [](activity on) { return static_cast<unsigned>(on); };
  std::uint64_t measured = 0, parts[time_kinds] = {};
  for (const std::uint64_t each : measured_) measured += each;
  const std::uint64_t asleep = std::min(spent, slept() - divided_slept_);
  const std::uint64_t expected = measured_tasks_ != 0 ? unlooked_ * measured / measured_tasks_ : 0;
  std::uint64_t alike = spent - asleep;
  excess_ = 0;
  if (!passed_ && unlooked_ == 0) {
    parts[at(now_)] = alike;
  } else {
    if (alike > excess_times * expected + runtime_at_most_ns) excess_ = alike - expected;
    alike -= excess_;
    if (measured != 0) {
      for (unsigned on = 0; on < time_kinds; ++on)
        parts[on] = static_cast<std::uint64_t>(static_cast<double>(alike) * static_cast<double>(measured_[on]) /
                                               static_cast<double>(measured));
    } else {
      parts[at(now_)] = alike;
    }
    parts[at(asleep != 0 ? activity::idle : activity::task)] += excess_;
  }
  const std::uint64_t own = parts[at(activity::implicit)] + parts[at(activity::task)];
  own_.add(own);
  implicit_.add(parts[at(activity::implicit)]);
  tasks_own.add(parts[at(activity::task)]);
  overhead_.add(parts[at(activity::runtime)]);
  if (runs_) {
    std::uint64_t rest = account_.spent(platform::ledger::program) - divided_program_;
    rest -= std::min(rest, own);
    const auto give = [&](account_part to, std::uint64_t ns) {
      ns = std::min(rest, ns);
      rest -= ns;
      account_.move(platform::ledger::program, to, ns);
    };
    give(account_part::put_get, parts[at(activity::runtime)]);
    give(account_part::searching_alone, parts[at(activity::idle)]);
    give(account_part::stealing, parts[thieving]);
    parts[at(activity::idle)] += parts[thieving] + asleep;
    for (unsigned on = 0; on < activities; ++on) spent_[on].add(parts[on]);
  }
  begin_to_divide();
}

void activity_clock::begin_stretch(std::uint32_t tasks, std::uint64_t stands_for) {
  stretch_tasks_ = until_turn_ = tasks;
  stands_for_ = stands_for;
  stretch_spent_ = 0;
  has_looked_ = false;
  if (pauses_ != (stands_for == 0)) {
    pauses_ = !pauses_;
    set_looks(!pauses_);
    ++stretch_;
    // The look may have cost the processor.
    if (runs_) {
      since_.set(look(now_));
      take_lost();
    }
  }
  begin_to_divide();
}

/// A look behind a long time asks the system for the thread's, which is where it loses its processor; what follows, as to wake
/// others that have run out of tasks meanwhile, is like nothing else. So a few tasks lie between that and those that are
/// measured.
void activity_clock::turn() {
  change(now_);
  if (pauses_ && !has_looked_) {
    has_looked_ = true;
    until_turn_ = measured_of;
    return;
  }
  if (pauses_) {
    if (is_to_be_measured()) return measure_first();
    for (std::uint64_t& each : measured_) each /= 2;
    measured_tasks_ /= 2;
    return begin_stretch(measured_of, (stretch_tasks_ + 2 * measured_of) / measured_of * call_stands_for_);
  }
  if (platform::clock_is_free || stretch_spent_ >= fine_ns * stretch_tasks_) return begin_stretch(measured_of, call_stands_for_);
  if (const std::uint64_t tick = ticks.last(); tick != ticked_) see_tick(tick);
  else if (since_.value() - ticked_ns_ > ticks_stopped_ns) doubt_ticks();
  // Not always as many: tasks of several kinds may come in turn. The upper bits of a product with the golden ratio are as random.
  const std::uint32_t varied = (stretch_ * 0x9E3779B1u) >> 22;
  static_assert(measured_of * (measured_one_in - 2) > 2 * 512);
  begin_stretch(measured_of * (measured_one_in - 2) - 512 + varied, 0);
}

void activity_clock::see_tick(std::uint64_t tick) {
  ticked_ = tick;
  ticked_ns_ = since_.value();
  doubts_ticks_ = false;
}

/// Whoever makes them may have been stopped together with this process: then the next one comes soon.
void activity_clock::doubt_ticks() {
  if (std::exchange(doubts_ticks_, true)) ticks.give_up(ticked_);
  ticked_ns_ = since_.value();
}

/// If much of the time since the last look was not as what was measured, tasks may have got longer: the pause ends. Those that
/// are measured behind it are what ended it: they stand for the few between, not for those before. So it does where a call takes
/// much longer than those that it was taken to be like.
void activity_clock::divide_at_tick(std::uint64_t tick) {
  const std::uint64_t tasks = unlooked_;
  ticked_before_ = ticked_;
  change(now_);
  see_tick(tick);
  if (has_looked_) return;
  if (!is_to_be_measured() && (tasks == 0 || excess_ < fine_ns * tasks)) return;
  stretch_tasks_ = 0;
  until_turn_ = 1;
}

/// An excess is told of the task that ends at its end if at least half of it is the task's.
void activity_clock::find_long(measured_frame& frame) {
  if (excess_ < tick_ns || !ticks.is_mostly_behind(ticked_before_, excess_)) [[likely]]
    return;
  frame.ns = excess_;
  add_measured(site_of(frame.code), frame.code, excess_, 1, false);
}

site<task_numbers>& activity_clock::site_of(const void* code) {
  if (code == last_code_) [[likely]]
    return *last_site_;
  last_site_ = &sites.tasks.at({code, region_});
  last_code_ = code;
  return *last_site_;
}

void activity_clock::count_loop(const void* code, std::uint64_t iterations) {
  site_of(code)[task_numbers::iterations].add(iterations);
}

void activity_clock::begin_any_task(measured_frame& frame) {
  if (call_ != first_.opened_.number) [[unlikely]]
    begin_call();
  if (--until_turn_ == 0) turn();
  if (pauses_) {
    if (searches_) change(now_);
    return begin_unlooked(frame);
  }
  frame.stretch = stretch_;
  ++measured_tasks_;
  frame.before = change(activity::task);
  frame.outer_own = task_own_;
  frame.outer_looks = task_looks_;
  task_own_ = task_looks_ = 0;
  frame.outer_opens = std::exchange(task_opens_, false);
}

void activity_clock::add_measured(site<task_numbers>& of, const void* code, std::uint64_t ns, std::uint64_t stands_for,
                                  bool opens) {
  if (is_unlike()) stands_for /= call_stands_for_;
  if (ns >= tick_ns) stands_for = 1;  // others are found, but where ticks are late
  // So much of it stands for others: the rest of a much longer one is an interrupt's, or is known of it alone.
  std::uint64_t alike = ns;
  if (stands_for != 1 && of[task_numbers::weight].value() != 0)
    alike = std::min(ns, spike_times * (of[task_numbers::time].value() / of[task_numbers::weight].value() + 1));
  of[task_numbers::measured].add(1);
  of[task_numbers::weight].add(stands_for);
  of[task_numbers::time].add(alike * (stands_for - 1) + ns);
  of.raise(task_numbers::longest, ns);
  if (ns < short_ns && !opens) {
    of[task_numbers::short_tasks].add(stands_for);
    of[task_numbers::short_time].add(alike * (stands_for - 1) + ns);
  }
  const auto squared = [](std::uint64_t of_it) { return static_cast<double>(of_it) * static_cast<double>(of_it); };
  const double square = squared(alike) * static_cast<double>(stands_for - 1) + squared(ns);
  of[task_numbers::squares].set(std::bit_cast<std::uint64_t>(std::bit_cast<double>(of[task_numbers::squares].value()) + square));
  if (ns <= longest_task_.value()) return;
  longest_task_.set(ns);
  longest_code_.set(reinterpret_cast<std::uintptr_t>(code));
}

void activity_clock::end_any_task(measured_frame& frame) {
  auto& of = site_of(frame.code);
  count_task(of);
  if (pauses_) return end_unlooked(frame);
  change(frame.before);
  frame.ns = 0;
  if (frame.stretch != stretch_) return;
  const std::uint64_t looks = task_looks_ * look_ns();
  frame.ns = task_own_ - std::min(task_own_, looks);
  task_own_ = frame.outer_own;
  task_looks_ = frame.outer_looks;
  add_measured(of, frame.code, frame.ns, stands_for_, std::exchange(task_opens_, frame.outer_opens));
}

std::uint64_t activity_clock::usual_ns(const measured_frame& frame) {
  auto& of = site_of(frame.code);
  const std::uint64_t weight = of[task_numbers::weight].value();
  return weight != 0 ? of[task_numbers::time].value() / weight : 0;
}

void activity_clock::end_chain(const measured_frame& frame, std::uint64_t ns) {
  if (ns <= chain_.value()) return;
  chain_.set(ns);
  chain_code_.set(reinterpret_cast<std::uintptr_t>(frame.code));
}

}  // namespace TEFF_NAMESPACE::openmp
