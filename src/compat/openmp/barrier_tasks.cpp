// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a member runs that waits in a barrier (README.md, *Order*).
#include "compat/openmp/events.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/timed.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

/// From which end of its own queue a member takes in a barrier.
///
/// Threads: the member.
class order {
 public:
  /// Effect: a theft has brought tasks, maybe several.
  void one_was_stolen() { flat_ = true; }
  /// Effect: a task has run. `before`, `after`: how many waited.
  void one_has_run(std::uint32_t before, std::uint32_t after) {
    flat_ = flat_ && after <= before;
    // One that leaves one may belong to a chain, where the order is all the same; one that waits for what it makes leaves none.
    branches_ = after > before + 1;
  }
  /// Returns: whether the oldest is next. Pre: some wait.
  bool is_oldest_next(const member& current, std::uint32_t waiting) const {
    return flat_ || (branches_ && waiting < current.enough) || (current.at_bound && waiting >= tuning::live_tasks_per_member / 2);
  }

 private:
  bool flat_ = true;       ///< its queue has grown by no task that it ran since it came here, or stole
  bool branches_ = false;  ///< the last one has left two or more
};

/// Effect: takes the next task, of its own ones or of others. `robs`: none of its own wait, which is looked at again.
pool::get_result take_next(member& current, const order& now, bool& robs, task& next) {
  queue::lane& own = *current.first_look;
  if (!robs && now.is_oldest_next(current, own.length())) {
    if (own.take_oldest(next)) return pool::get_result::got;
    robs = own.length() == 0;
    if (!robs) return pool::get_result::retry;  // somebody else is at it. The newest is not for now
  }
  return current.pool->get(current, next, pool::reach::whole);  // a task may fork: forked.cpp
}

}  // namespace

void meet_alone(member& current) {
  // relaxed: its own.
  const auto has_tasks = [&] { return current.created.load(platform::relaxed) != current.finished.load(platform::relaxed); };
  if (has_tasks()) {
    const timed in_runtime(current.clock, activity::runtime);  // as in a wait for children
    run_tasks(current, false);
  }
  // What is left are events, and what they let begin.
  for (node* at = current.running; has_tasks(); at = at->parent()) {
    wait_for_children(current, at, true);
    if (!(at->flags & node::scope)) break;
  }
  if (!current.in.records.empty()) current.in.drop_records();
  if (current.in.can_be_cancelled) current.in.loop_cancelled.store(false, platform::relaxed);  // its own
}

bool others_keep_tasks(member& current) {
  if (current.first_look == nullptr || current.steals.are_too_soon() || current.steals.are_too_soon_by_force()) return false;
  for (unsigned each = 0; each < current.in.size; ++each) {  // itself, too, who has none
    if (current.pool->lane(current.in.members[each])->look() != queue::lane::contents::private_tasks) continue;
    current.steals.force_begins();
    return true;
  }
  return false;
}

bool run_tasks(member& current, bool woken) {
  look_for_events(current);
  if (current.in.urgent.any()) current.first_look = nullptr;
  if (pool_of(current) == nullptr) return run_urgent(current, woken);
  bool ran = false;
  order own_order;
  for (task next;;) {
    queue::lane* const own = current.first_look;
    if (own == nullptr) {
      if (run_one(current, woken, ran)) continue;
      return ran;
    }
    bool robs = own->length() == 0;
    if (robs && (ran || !woken) && current.steals.are_too_soon()) return ran;  // who was called does not hold off
    const pool::get_result found = take_next(current, own_order, robs, next);
    current.in.follow(found.advised, current);
    if (found.what == pool::get_result::empty) return ran;
    if (found.what == pool::get_result::retry) {
      current.account.saw_tasks_in_vain();
      platform::pause();
      continue;
    }
    if (robs) {
      current.steals.one_begins();
      own_order.one_was_stolen();
    }
    if (woken && !ran) current.in.wake_one(current.id);
    ran = true;
    const std::uint32_t before = own->length();
    execute_in_barrier(current, static_cast<task_block*>(next.argument));
    if (current.first_look != nullptr) own_order.one_has_run(before, own->length());
  }
}

}  // namespace TEFF_NAMESPACE::openmp
