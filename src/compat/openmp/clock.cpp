// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/clock.h"

#include "compat/openmp/team.h"
#include "platform/foreign.h"

#include <bit>

namespace TEFF_NAMESPACE::openmp {

constinit tick_source ticks;

namespace {

constinit std::uint64_t cost_of_look = 0;

}  // namespace

/// The least of ten means: in the others the thread may have lost its processor. With all that a change does.
void measure_look() {
  constexpr unsigned looks = 100;
  platform::ledger account;
  activity_clock tried(account, nullptr);
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned round = 0; round < 10; ++round) {
    tried.resume();
    const std::uint64_t begin = platform::now_ns();
    for (unsigned look = 0; look < looks; ++look) tried.change(look % 2 == 0 ? activity::runtime : activity::task);
    least = std::min(least, (platform::now_ns() - begin) / looks);
    tried.end();
  }
  cost_of_look = least;
}

std::uint64_t look_ns() { return cost_of_look; }

void task_numbers::merge(site<task_numbers>& to, const site<task_numbers>& from) {
  to.raise(longest, from[longest]);
  const double sum = std::bit_cast<double>(to[squares].value()) + std::bit_cast<double>(from[squares]);
  to[squares].set(std::bit_cast<std::uint64_t>(sum));
}

activity_clock::lost activity_clock::take_lost() {
  const std::uint64_t all = platform::account_ns(account_.lost());
  const std::uint64_t busy = platform::account_ns(account_.spent(account_part::without_processor));
  return {all - std::exchange(lost_, all), busy - std::exchange(lost_busy_, busy)};
}

std::uint64_t activity_clock::accounted() const {
  std::uint64_t sum = 0;
  for (unsigned which = 0; which < account_part_count; ++which) sum += account_.spent(static_cast<account_part>(which));
  return sum;
}

std::uint64_t activity_clock::slept() const {
  return platform::account_ns(account_.spent(account_part::parked) + account_.spent(account_part::being_woken));
}

/// The account has looked at the clock: its parts have grown by the time since the last look.
std::uint64_t activity_clock::look(activity next) {
  if (!runs_) return platform::now_ns();
  account_.enter(part_of(next));
  const std::uint64_t before = accounted_;
  accounted_ = accounted();
  return since_.value() + platform::account_ns(accounted_ - before);
}

void activity_clock::add_alike(unsigned kind, std::uint64_t ns) {
  std::uint64_t all = 0;
  for (const std::uint64_t each : measured_) all += each;
  const std::uint64_t at_most = measured_tasks_ < measured_of ? runtime_at_most_ns : spike_times * (all / measured_tasks_ + 1);
  measured_[kind] += std::min(ns, at_most);
}

activity activity_clock::change(activity next, bool searches) {
  const bool searched = std::exchange(searches_, searches);
  set_looks(!pauses_ || searches);
  const std::uint64_t now = look(next);
  const std::uint64_t spent = now - since_.value();
  const lost taken = take_lost();
  const std::uint64_t lost = std::min(spent, taken.all);
  since_.set(now);
  const activity before = std::exchange(now_, next);
  changes_[static_cast<unsigned>(before)].add(1);
  if (pauses_ && !searched) {
    now_ = before;  // whose that is, if nothing was passed
    divide(spent - lost);
    now_ = next;
  } else {
    if (before > activity::task) lost_idle_.add(lost - std::min(lost, taken.busy));
    add_looked_at(before, spent, spent - lost, searched);
  }
  // What goes into that part while nobody searches in vain is short searches.
  const std::uint64_t searched_ns = account_.spent(account_part::searching_alone);
  if (!searched && searched_ns > searched_before_) short_searches_.add(searched_ns - searched_before_);
  searched_before_ = searched_ns;
  if (searched) looks_in_vain_.add(1);
  const std::uint64_t stolen = account_.spent(account_part::stealing);
  if (!searched && stolen > stolen_before_) short_thefts_.add(stolen - stolen_before_);
  stolen_before_ = stolen;
  looked_tasks_.set(tasks_.value());
  searching_.store(searches, platform::release);  // [search]
  return before;
}

void activity_clock::add_looked_at(activity on, std::uint64_t spent, std::uint64_t own, bool searched) {
  if (on <= activity::task) {
    task_own_ += own;
    ++task_looks_;
    own_.add(own);
    (on == activity::implicit ? implicit_ : tasks_own).add(own);
  } else if (on == activity::runtime && spent < runtime_at_most_ns) {
    overhead_.add(spent);
    overhead_looks_.add(1);
  }
  if (runs_) spent_[static_cast<unsigned>(on)].add(spent);
  if (on != activity::idle) stretch_spent_ += spent;
  if (spent < runtime_at_most_ns && !searched) {
    const std::uint64_t alike = spent - std::min(spent, look_ns());
    const std::uint64_t thefts = platform::account_ns(account_.spent(account_part::stealing) - stolen_before_);
    const std::uint64_t stolen = on == activity::idle ? std::min(alike, thefts) : 0;
    if (stolen != 0) add_alike(thieving, stolen);
    add_alike(static_cast<unsigned>(on), alike - stolen);
  }
  if (pauses_) begin_to_divide();
}

void activity_clock::measure_first() {
  is_counted_ = false;
  begin_stretch(first_.opened_.first_tasks, call_stands_for_);
  for (std::uint64_t& each : measured_) each = 0;
  measured_tasks_ = 0;
}

/// The first tasks of each call that is measured are, so that one with few of them, behind no call of many, is known in full.
void activity_clock::begin_call() {
  const region_call& opened = first_.opened_;
  if (call_ == opened.number) return;
  call_ = opened.number;
  if (runs_) change(now_);
  region_ = opened.region;
  last_code_ = nullptr;
  clear_call();
  call_stands_for_ = std::max<std::uint64_t>(1, opened.stands_for);
  unlike_from_ = opened.began_ns + opened.unlike_ns;
  if (opened.stands_for != 0) {
    measure_first();
  } else {
    is_counted_ = true;
    begin_stretch(all_tasks, 0);
    std::copy(std::begin(opened.usual), std::end(opened.usual), measured_);
    measured_tasks_ = measured_first;
  }
  if (runs_) remember_account();
}

void activity_clock::clear_call() {
  for (platform::statistic* each :
       {&own_, &implicit_, &longest_task_, &longest_code_, &tasks_, &chain_, &chain_code_, &overhead_, &overhead_looks_,
        &lost_idle_, &inner_, &short_searches_, &short_thefts_, &looked_tasks_, &looks_in_vain_})
    each->clear();
  for (platform::statistic& each : kept_parts_) each.clear();
  for (platform::statistic& each : kept_looks_) each.clear();
}

void activity_clock::begin_anew() {
  if (runs_) change(now_);
  opened_.began_ns = platform::now_ns();
  opened_.stands_for = call_stands_for_ = 1;  // what was measured of others is gone
  opened_.first_tasks = measured_first;
  opened_.is_typical = false;
  opened_.unlike_ns = never_unlike_ns;
  unlike_from_ = opened_.began_ns + never_unlike_ns;
  if (stopped_ != 0) stopped_ = opened_.began_ns;
  task_own_ = task_looks_ = 0;
  clear_call();
  measure_first();
  if (runs_) remember_account();
}

void activity_clock::start() {
  runs_ = false;
  since_.set(platform::now_ns());
  came_.set(since_.value());
  now_ = activity::implicit;
  task_own_ = task_looks_ = 0;
  task_opens_ = false;
  begin_call();
  go_on();
}

void activity_clock::stop() {
  stopped_ = 0;
  if (runs_) {
    change(now_);
    platform::bind_ledger(nullptr);
    keep_account();
    stopped_ = since_.value();
  }
  runs_ = false;
}

/// The opener may be reading: what it reads stays.
void activity_clock::end() {
  change(now_);
  platform::bind_ledger(nullptr);
  runs_ = false;
}

void activity_clock::resume() {
  runs_ = false;
  since_.set(platform::now_ns());
  if (stopped_ != 0) add_inner(since_.value() - stopped_);
  go_on();
}

/// Who opened it was as busy meanwhile as with work of its own; and a task that does is not fine.
void activity_clock::add_inner(std::uint64_t ns) {
  inner_.add(ns);
  own_.add(ns);
  if (now_ == activity::task) tasks_own.add(ns);
  task_own_ += ns;
  stretch_spent_ += ns;
  task_opens_ = true;
}

void activity_clock::remember_account() {
  for (unsigned which = 0; which < account_part_count; ++which)
    parts_before_[which] = account_.spent(static_cast<account_part>(which));
  for (unsigned on = 0; on < activities; ++on) changes_before_[on] = changes_[on].value();
}

void activity_clock::go_on() {
  runs_ = true;
  remember_account();
  platform::bind_ledger(&account_);
  account_.enter(part_of(now_));
  accounted_ = accounted();
  take_lost();
  begin_to_divide();
}

void activity_clock::keep_account() {
  for (unsigned which = 0; which < account_part_count; ++which)
    kept_parts_[which].add(account_.spent(static_cast<account_part>(which)) - parts_before_[which]);
  for (unsigned on = 0; on < activities; ++on) kept_looks_[on].add(looks_since(static_cast<activity>(on)));
}

}  // namespace TEFF_NAMESPACE::openmp
