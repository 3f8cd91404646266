// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/clock.h"

#include "compat/openmp/depend_record.h"
#include "compat/openmp/tasks.h"
#include "platform/foreign.h"

#include <bit>

namespace TEFF_NAMESPACE::openmp {

namespace {

constinit std::uint64_t cost_of_look = 0;

}  // namespace

/// The least of ten means: in the others the thread may have lost its processor.
void measure_look() {
  constexpr unsigned looks = 100;
  cost_of_look = ~std::uint64_t{0};
  for (unsigned round = 0; round < 10; ++round) {
    const std::uint64_t begin = platform::now_ns();
    std::uint64_t last = begin;
    for (unsigned look = 0; look < looks; ++look) last = platform::now_ns();
    cost_of_look = std::min(cost_of_look, (last - begin) / looks);
  }
}

std::uint64_t look_ns() { return cost_of_look; }

void task_numbers::merge(site<task_numbers>& to, const site<task_numbers>& from) {
  to.raise(longest, from[longest]);
  const double sum = std::bit_cast<double>(to[squares].value()) + std::bit_cast<double>(from[squares]);
  to[squares].set(std::bit_cast<std::uint64_t>(sum));
}

/// The look before was at most a little earlier than the time in question began: it is made at least once in a while.
std::uint64_t activity_clock::lost_until(std::uint64_t now) {
  const std::uint64_t spent = now - since_, ran = platform::thread_ran_ns(), asleep = slept();
  const std::uint64_t known = (ran - had_run_) + (asleep - had_slept_);
  looked_ = now;
  had_run_ = ran;
  had_slept_ = asleep;
  return spent >= lost_at_least_ns && spent > known ? spent - known : 0;
}

/// The account has looked at the clock: its parts have grown by the time since the last look.
std::uint64_t activity_clock::look(activity next) {
  if (!runs_) return platform::now_ns();
  account_.enter(part_of(next));
  const std::uint64_t before = accounted_;
  accounted_ = accounted();
  return since_ + platform::account_ns(accounted_ - before);
}

activity activity_clock::change(activity next) {
  const std::uint64_t now = look(next);
  const std::uint64_t spent = now - since_;
  const std::uint64_t lost = now - looked_ >= lost_at_least_ns ? lost_until(now) : 0;
  if (now_ <= activity::task) {
    task_own_ += spent - lost;
    ++task_looks_;
    own_.add(spent - lost);
    lost_own_.add(lost);
  } else if (now_ == activity::runtime && spent < runtime_at_most_ns) {
    overhead_.add(spent);
    overhead_looks_.add(1);
  } else if (now_ == activity::runtime) {
    lost_other_.add(lost);
  } else {
    lost_idle_.add(lost);
  }
  if (runs_) spent_[static_cast<unsigned>(now_)].add(spent);
  changes_[static_cast<unsigned>(now_)].add(1);
  since_ = now;
  const activity before = now_;
  now_ = next;
  return before;
}

void activity_clock::start(const void* region) {
  region_ = region;
  runs_ = false;
  change(activity::implicit);
  task_own_ = task_looks_ = 0;
  for (platform::statistic* each :
       {&own_, &longest_task_, &longest_code_, &tasks_, &overhead_, &overhead_looks_, &lost_own_, &lost_other_, &lost_idle_})
    each->clear();
  go_on();
}

void activity_clock::stop() {
  if (runs_) {
    change(now_);
    platform::bind_ledger(nullptr);
    leave_to_region();
  }
  runs_ = false;
}

/// What happened meanwhile was no work of the task that goes on.
void activity_clock::resume() {
  runs_ = false;
  since_ = platform::now_ns();
  go_on();
}

void activity_clock::go_on() {
  runs_ = true;
  lost_until(since_);
  for (unsigned which = 0; which < account_part_count; ++which)
    parts_before_[which] = account_.spent(static_cast<account_part>(which));
  for (unsigned on = 0; on < activities; ++on) changes_before_[on] = changes_[on].value();
  platform::bind_ledger(&account_);
  account_.enter(part_of(now_));
  accounted_ = accounted();
}

void activity_clock::leave_to_region() {
  if (region_ == nullptr) return;
  auto& of = sites.regions.at({region_, nullptr});
  for (unsigned which = 0; which < account_part_count; ++which)
    of.numbers[region_numbers::parts + which].add(account_.spent(static_cast<account_part>(which)) - parts_before_[which]);
  const auto looks = [&](activity on) {
    return changes_[static_cast<unsigned>(on)].value() - changes_before_[static_cast<unsigned>(on)];
  };
  of[region_numbers::own_looks].add(looks(activity::implicit) + looks(activity::task));
  of[region_numbers::other_looks].add(looks(activity::runtime));
}

void activity_clock::begin_task(measured_frame& frame, const void* code) {
  frame.code = code;
  frame.before = change(activity::task);
  frame.outer_own = task_own_;
  frame.outer_looks = task_looks_;
  task_own_ = task_looks_ = 0;
}

void activity_clock::end_task(const measured_frame& frame) {
  change(frame.before);
  const std::uint64_t looks = task_looks_ * look_ns();
  const std::uint64_t ns = task_own_ - std::min(task_own_, looks);
  task_own_ = frame.outer_own;
  task_looks_ = frame.outer_looks;
  auto& of = sites.tasks.at({frame.code, region_});
  of[task_numbers::tasks].add(1);
  of[task_numbers::time].add(ns);
  of.raise(task_numbers::longest, ns);
  if (ns < short_ns) {
    of[task_numbers::short_tasks].add(1);
    of[task_numbers::short_time].add(ns);
  }
  const double sum = std::bit_cast<double>(of[task_numbers::squares].value()) + static_cast<double>(ns) * static_cast<double>(ns);
  of[task_numbers::squares].set(std::bit_cast<std::uint64_t>(sum));
  tasks_.add(1);
  if (ns <= longest_task_.value()) return;
  longest_task_.set(ns);
  longest_code_.set(reinterpret_cast<std::uintptr_t>(frame.code));
}

void activity_clock::end_wait(const lock_place& where) {
  const std::uint64_t now = look(now_), ns = now - since_;
  if (runs_) spent_[static_cast<unsigned>(now_)].add(ns);
  since_ = now;
  if (now - looked_ >= lost_at_least_ns) lost_until(now);
  auto& of = sites.locks.at({where.code, region_});
  of[lock_numbers::waits].add(1);
  of[lock_numbers::time].add(ns);
  of.raise(lock_numbers::longest, ns);
  of.raise(lock_numbers::kind, static_cast<std::uint64_t>(where.kind));
}

void activity_clock::end_region(const team& over) {
  if (region_ == nullptr) return;
  change(now_);
  auto& of = sites.regions.at({region_, nullptr});
  std::uint64_t longest_own = 0, long_task = 0, long_code = 0;
  for (unsigned number = 0; number < over.size; ++number) {
    const activity_clock& each = *over.members[number].clock;
    const std::uint64_t its_own = each.own_.value();
    longest_own = std::max(longest_own, its_own);
    of[region_numbers::own].add(its_own);
    of[region_numbers::tasks].add(each.tasks_.value());
    of[region_numbers::overhead].add(each.overhead_.value());
    of[region_numbers::overhead_looks].add(each.overhead_looks_.value());
    of[region_numbers::lost_own].add(each.lost_own_.value());
    of[region_numbers::lost_other].add(each.lost_other_.value());
    of[region_numbers::lost_idle].add(each.lost_idle_.value());
    if (each.longest_task_.value() <= long_task) continue;
    long_task = each.longest_task_.value();
    long_code = each.longest_code_.value();
  }
  of[region_numbers::calls].add(1);
  of[region_numbers::members].add(over.size);
  of[region_numbers::elapsed].add(since_ - began_);
  of[region_numbers::capacity].add((since_ - began_) * over.size);
  of[region_numbers::longest_own].add(longest_own);
  of[region_numbers::long_task].add(long_task);
  if (long_task <= of[region_numbers::longest_task].value()) return;
  of[region_numbers::longest_task].set(long_task);
  of[region_numbers::longest_code].set(long_code);
}

/// Behind the gates of a task with dependences is the program's function.
void run_code_measured(member& current, task_block* next) {
  if (next->parent->owner != current.id) current.clock->moved.add(1);
  task_function code = next->function;
  if (code == &run_dependent) code = static_cast<const dependent_head*>(next->arguments())->function;
  measured_frame frame;
  current.clock->begin_task(frame, reinterpret_cast<const void*>(code));
  run_code(current, next);
  current.clock->end_task(frame);
}

void run_measured(member& current, task_function function, void* arguments, bool is_final) {
  measured_frame frame;
  current.clock->begin_task(frame, reinterpret_cast<const void*>(function));
  current.clock->at_once.add(1);
  run_on_stack(current, function, arguments, is_final);
  current.clock->end_task(frame);
}

timed_lock_wait::timed_lock_wait(const lock_place& where) : where_(where) {
  const member* const self = known_self();
  if (self == nullptr || self->clock == nullptr || where.kind == lock_kind::none) return;
  clock_ = self->clock;
  clock_->begin_wait();
}

timed_lock_wait::~timed_lock_wait() {
  if (clock_ != nullptr) clock_->end_wait(where_);
}

}  // namespace TEFF_NAMESPACE::openmp
