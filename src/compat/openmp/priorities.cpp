// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How tasks with a priority wait and are found: README.md, *Priorities*.
#include "compat/openmp/priorities.h"

#include "compat/openmp/cancel.h"
#include "compat/openmp/depend_record.h"
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/forked.h"
#include "compat/openmp/tasks.h"
#include "platform/tuning.h"

#include <algorithm>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

void ready_by_priority::append(level& to, task_block* ready) {
  ready->here = 0;
  if (to.first == nullptr) to.first = ready;
  else to.last->here = reinterpret_cast<std::uintptr_t>(ready);
  to.last = ready;
}

bool ready_by_priority::put(task_block* ready) try {
  const platform::lock_guard guard(lock_);
  const std::uint32_t priority = ready->spawned;
  if (priority == 0) {
    append(without_, ready);
  } else {
    auto at = std::lower_bound(levels_.begin(), levels_.end(), priority,
                               [](const level& each, std::uint32_t wanted) { return each.priority < wanted; });
    if (at == levels_.end() || at->priority != priority) at = levels_.insert(at, {priority, nullptr, nullptr});
    append(*at, ready);
  }
  count_.store(count_.load(platform::relaxed) + 1, platform::relaxed);  // relaxed: changed under the lock
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

task_block* ready_by_priority::unlink(level& from, task_block* before, task_block* taken) {
  task_block* const next = next_of(taken);
  if (before == nullptr) from.first = next;
  else before->here = reinterpret_cast<std::uintptr_t>(next);
  if (from.last == taken) from.last = before;
  taken->here = 0;
  count_.store(count_.load(platform::relaxed) - 1, platform::relaxed);  // relaxed: changed under the lock
  return taken;
}

namespace {

/// Effect: the task is as a new one that is about to begin. One that may find a gate busy keeps its priority until it has
/// entered.
task_block* begun(task_block* taken) {
  if (taken != nullptr && !has_gates(taken)) taken->spawned = 0;
  return taken;
}

}  // namespace

task_block* take_urgent(member& current) {
  if (!current.in.urgent.any()) return nullptr;
  if (current.in.is_left_behind()) end_forked_child();
  return begun(current.in.urgent.take([](const task_block*) { return true; }));
}

task_block* take_urgent(member& current, const descendants& wanted, pool::reach how) {
  if (current.in.is_left_behind()) end_forked_child();
  unsigned steps = tuning::ancestors_per_look;
  unsigned* const left = wanted.all ? nullptr : &steps;  // as a look at the pool: engine.cpp
  const auto may = [&](const task_block* candidate) { return have(current, wanted, candidate, left); };
  ready_by_priority& all = current.in.urgent;
  return begun(how == pool::reach::force ? all.take(may) : all.take_in_passing(may, tuning::urgent_per_look));
}

bool run_urgent(member& current, bool woken) {
  task_block* const next = take_urgent(current);
  if (next == nullptr) return false;
  if (woken) current.in.wake_one(current.id);
  execute(current, next);
  return true;
}

bool look_at_lane_again(member& current) {
  if (current.first_look == current.lane || current.in.orders() || current.in.urgent.any()) return false;
  current.first_look = current.lane;
  return true;
}

bool run_one(member& current, bool woken, bool& ran) {
  if (look_at_lane_again(current)) return true;
  if (run_urgent(current, woken && !ran)) return ran = true;
  task next;
  const pool::get_result found = current.pool->get(current, next, pool::reach::whole);
  current.in.follow(found.advised, current);
  if (found.what == pool::get_result::empty) return false;
  if (found.what == pool::get_result::retry) {
    current.account.saw_tasks_in_vain();
    platform::pause();
    return true;
  }
  if (woken && !ran) current.in.wake_one(current.id);
  execute(current, static_cast<task_block*>(next.argument));
  return ran = true;
}

bool prepare_to_begin(member& current, task_block* next) {
  if (current.in.orders()) current.first_look = nullptr;
  if (current.in.has_long_rows()) reparent(current, next);
  return !current.in.has_cancelled() || !is_discarded(current, next);
}

void put_urgent(member& current, task_block* ready) {
  team& all = current.in;
  if (all.is_left_behind()) end_forked_child();
  // relaxed: as of a task that is put into the pool.
  if (!all.has_tasks.load(platform::relaxed)) all.has_tasks.store(true, platform::relaxed);
  if (ready->spawned != 0) {
    current.first_look = nullptr;
    // relaxed, both: hints. No task without a priority runs at once from now on before those that have one.
    if (!all.orders()) all.at_begin.fetch_or(team::has_priorities, platform::relaxed);
    if ((all.puts_all.load(platform::relaxed) & team::for_ever) == 0) all.puts_all.fetch_or(team::for_ever, platform::relaxed);
  }
  if (!all.urgent.put(ready)) {
    ready->spawned = 0;
    all.urgent.put(ready);
  }
  all.follow(pool::advice::wake_one, current);
}

void add_urgent(member& current, const task_request& wanted) {
  if (!is_beyond_bound(current)) {
    if (task_block* const child = make_child(current, wanted)) {
      child->spawned = wanted.priority;
      count_child(current, child);
      return push_ready(current, child);
    }
  }
  run_at_once(current, wanted);
}

bool has_set_aside(const member& current) { return current.in.opener == nullptr && current.in.urgent.any(); }

void run_all_set_aside(member& current) {
  if (!current.runs_set_aside) run_set_aside_in_wait(current);
}

bool run_set_aside_in_wait(member& current) {
  if (!has_set_aside(current)) return false;
  const bool ran_these = std::exchange(current.runs_set_aside, true);
  while (run_urgent(current, false)) {
  }
  current.runs_set_aside = ran_these;
  return true;
}

}  // namespace TEFF_NAMESPACE::openmp
