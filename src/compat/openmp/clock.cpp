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

/// The account has looked at the clock: its parts have grown by the time since the last look.
std::uint64_t activity_clock::look(activity next) {
  if (!runs_) return platform::now_ns();
  account_.enter(part_of(next));
  const std::uint64_t before = accounted_;
  accounted_ = accounted();
  return since_ + platform::account_ns(accounted_ - before);
}

void activity_clock::add_alike(activity on, std::uint64_t ns) {
  std::uint64_t all = 0;
  for (const std::uint64_t each : measured_) all += each;
  const std::uint64_t at_most = measured_tasks_ < measured_of ? runtime_at_most_ns : spike_times * (all / measured_tasks_ + 1);
  measured_[static_cast<unsigned>(on)] += std::min(ns, at_most);
}

activity activity_clock::change(activity next) {
  const std::uint64_t now = look(next);
  const std::uint64_t spent = now - since_;
  const lost taken = take_lost();
  const std::uint64_t lost = std::min(spent, taken.all);
  since_ = now;
  const activity before = std::exchange(now_, next);
  changes_[static_cast<unsigned>(before)].add(1);
  if (pauses_) {
    now_ = before;  // which says what an excess was
    divide(spent - lost);
    now_ = next;
    return before;
  }
  if (before <= activity::task) {
    task_own_ += spent - lost;
    ++task_looks_;
    own_.add(spent - lost);
  } else if (before == activity::runtime && spent < runtime_at_most_ns) {
    overhead_.add(spent);
    overhead_looks_.add(1);
  }
  if (before > activity::task) lost_idle_.add(lost - std::min(lost, taken.busy));
  if (runs_) spent_[static_cast<unsigned>(before)].add(spent);
  if (before != activity::idle) stretch_spent_ += spent;
  if (spent < runtime_at_most_ns) add_alike(before, spent - std::min(spent, look_ns()));
  return before;
}

/// The first tasks of each call are measured, so that one with few of them is known in full.
void activity_clock::begin_call() {
  if (call_ == first_.calls_) return;
  call_ = first_.calls_;
  if (runs_) change(now_);
  region_ = first_.opened_;
  last_code_ = nullptr;
  clear_call();
  begin_stretch(measured_first, 1);
  for (std::uint64_t& each : measured_) each = 0;
  measured_tasks_ = 0;
  if (runs_) remember_account();
}

void activity_clock::clear_call() {
  for (platform::statistic* each : {&own_, &longest_task_, &longest_code_, &tasks_, &chain_, &chain_code_, &overhead_,
                                    &overhead_looks_, &lost_idle_, &inner_})
    each->clear();
  for (platform::statistic& each : kept_parts_) each.clear();
  for (platform::statistic& each : kept_looks_) each.clear();
}

void activity_clock::begin_anew() {
  if (runs_) change(now_);
  began_ = platform::now_ns();
  if (stopped_ != 0) stopped_ = began_;
  task_own_ = task_looks_ = 0;
  clear_call();
  if (runs_) remember_account();
}

void activity_clock::start() {
  runs_ = false;
  since_ = platform::now_ns();
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
    stopped_ = since_;
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
  since_ = platform::now_ns();
  if (stopped_ != 0) add_inner(since_ - stopped_);
  go_on();
}

/// Who opened it was as busy meanwhile as with work of its own; and a task that does is not fine.
void activity_clock::add_inner(std::uint64_t ns) {
  inner_.add(ns);
  own_.add(ns);
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

/// By the opener: the member may not have left the region's last barrier when the process ends.
void activity_clock::add_account(site<region_numbers>& of, std::uint64_t elapsed) const {
  std::uint64_t all = inner_.value();
  for (unsigned which = 0; which < static_cast<unsigned>(account_part::outside_runs); ++which) {
    const std::uint64_t its_own = account_.spent(static_cast<account_part>(which)) - parts_before_[which];
    of.numbers[region_numbers::parts + which].add(kept_parts_[which].value() + its_own);
    all += kept_parts_[which].value() + its_own;
  }
  // What goes on in that barrier is in no part yet; nor what went before the member came.
  if (all < elapsed) of.numbers[region_numbers::parts + static_cast<unsigned>(account_part::searching_alone)].add(elapsed - all);
  const auto looks = [&](activity on) { return kept_looks_[static_cast<unsigned>(on)].value() + looks_since(on); };
  of[region_numbers::own_looks].add(looks(activity::implicit) + looks(activity::task));
  of[region_numbers::other_looks].add(looks(activity::runtime));
}

void activity_clock::end_region(const team& over) {
  if (region_ == nullptr) return;
  change(now_);
  auto& of = regions->at({region_, nullptr});
  std::uint64_t longest_own = 0, long_task = 0, long_code = 0, chain = 0, chain_code = 0;
  for (unsigned number = 0; number < over.size; ++number) {
    const activity_clock& each = *over.members[number].clock;
    const std::uint64_t its_own = each.own_.value();
    longest_own = std::max(longest_own, its_own);
    each.add_account(of, since_ - began_);
    of[region_numbers::own].add(its_own);
    of[region_numbers::tasks].add(each.tasks_.value());
    of[region_numbers::overhead].add(each.overhead_.value());
    of[region_numbers::overhead_looks].add(each.overhead_looks_.value());
    of[region_numbers::lost_idle].add(each.lost_idle_.value());
    of[region_numbers::inner].add(each.inner_.value());
    const auto raise = [](std::uint64_t& ns, std::uint64_t& code, const platform::statistic& its_ns,
                          const platform::statistic& its_code) {
      if (its_ns.value() <= ns) return;
      ns = its_ns.value();
      code = its_code.value();
    };
    raise(long_task, long_code, each.longest_task_, each.longest_code_);
    raise(chain, chain_code, each.chain_, each.chain_code_);
  }
  of[region_numbers::calls].add(1);
  of[region_numbers::members].add(over.size);
  of[region_numbers::elapsed].add(since_ - began_);
  of[region_numbers::capacity].add((since_ - began_) * over.size);
  of[region_numbers::longest_own].add(longest_own);
  of[region_numbers::long_task].add(long_task);
  of[region_numbers::chains].add(chain);
  region_numbers::raise(of, region_numbers::longest_task, long_task, long_code);
  region_numbers::raise(of, region_numbers::longest_chain, chain, chain_code);
}

}  // namespace TEFF_NAMESPACE::openmp
