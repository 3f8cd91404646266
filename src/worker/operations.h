// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a running task asks of its team, as far as that is more than a call: puts that did not go by the quick path, and looks
/// for tasks to run in place.
#pragma once

#include "worker/loop.h"

namespace TEFF_NAMESPACE::workers {

/// Effect: the pool knows that the task that ran here has ended.
template <pool::task_pool Pool, class Rules>
[[gnu::always_inline]] inline void team_of<Pool, Rules>::tell_end([[maybe_unused]] member& now) {
  if constexpr (pool::follows_ends<Pool>) pool().finished(now, now.here->own);
  if constexpr (pool::tracks_started<Pool>) now.here->own = {};  // the next one here may come past the pool
}

/// Effect: in a pool that has tasks run as soon as they are made, the new one begins, and its creator is ready. Returns: whether
/// it did.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::forked([[maybe_unused]] member& self, [[maybe_unused]] task ready) {
  if constexpr (pool::forks<Pool>) {
    if (!can_give_way(self)) return false;
    pool().fork(self, self.here->own, self.begun);
    TEFF_REQUIRE(give_way(self, ready), "a stack that was there is gone");
    return true;
  }
  return false;
}

/// Effect: puts a task where there is no lane. That it is put is charged by who was asked for it: the public headers, or offer.
template <pool::task_pool Pool, class Rules>
[[gnu::always_inline]] inline void team_of<Pool, Rules>::put_in_pool(member& self, task ready) {
  if (forked(self, ready)) return;
  const pool::advice advised = [&] {
    const platform::sampled_event timed(self.account, self.account.puts);
    return pool().put(self, ready);
  }();
  if (advised.what != pool::advice::wake_none) [[unlikely]]
    follow_put(advised, self, ready);
}

template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::run_borrowed(worker& current, borrowed_closure& borrowed) {
  auto& self = static_cast<member&>(current);
  self.created.add_alone(1, platform::relaxed);  // [created], as in put
  team_behind(self).run_without_memory(self, borrowed);
}

template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::execute_now(worker& current, task taken) {
  auto& self = static_cast<member&>(current);
  team_behind(self).execute(self, taken);
}

template <pool::task_pool Pool, class Rules>
void* team_of<Pool, Rules>::allocate_argument(worker& current) {
  return team_behind(static_cast<member&>(current)).memory().allocate(current, mem::block_kind::argument);
}

template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::release_argument(worker& current, void* argument) {
  team_behind(static_cast<member&>(current)).memory().release(current, mem::block_kind::argument, argument);
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::init_in_pool(member& first, task initial) {
  platform::charge_put();
  return pool().init(first, initial) != pool::advice::refused;
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::put_again(member& waker, task again) {
  platform::charge_put();
  pool::advice advised = pool::advice::refused;
  if constexpr (pool::tracks_started<Pool>) advised = pool().unblocked(&waker, word_of(again), again);
  else if constexpr (pool::has_bound<Pool>) advised = pool().put(waker, again, pool::put_step::beyond);
  else advised = pool().put(waker, again);
  if (advised.what == pool::advice::refused) {
    platform::tasks_wait(-1);
    return false;
  }
  if (advised.what != pool::advice::wake_none) follow(advised, &waker);
  return true;
}

/// What is left to do when the lane has answered so.
template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::end_put(member& self, task ready, queue::pushed found)
  requires in_line
{
  const bool is_in = found == queue::pushed::asked;
  const pool::advice advised = pool().put(self, ready, is_in ? pool::put_step::rest : pool::put_step::whole);
  if (advised.what != pool::advice::wake_none) follow_put(advised, self, ready);
}

template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::follow_put(pool::advice advised, member& self, task ready) {
  if constexpr (pool::has_bound<Pool>) {
    if (advised.what == pool::advice::full) {
      // The new one runs now, on a fiber of its own, and its creator becomes ready: it may go on on another worker.
      if (give_way(self, ready)) return static_cast<member*>(platform::current())->count(trace::counter::run_first);
      self.count(trace::counter::beyond_bound);
      advised = pool().put(self, ready, pool::put_step::beyond);
    }
  }
  if (advised.what == pool::advice::refused) return run_without_memory(self, ready);
  follow(advised, &self);
}

/// Effect: takes a task that is the caller's to run in place. Returns: false if there is none that this worker finds.
template <pool::task_pool Pool, class Rules>
template <class Predicate>
bool team_of<Pool, Rules>::take_own(worker& current, Predicate is_wanted, task& taken, bool can_suspend) {
  if (Pool::traits.suspends_waiters && can_suspend) return false;
  const platform::account_mark here(account_part::put_get);
  team_of& team = team_behind(static_cast<member&>(current));
  const pool::reach how = Pool::traits.waits_at_home && can_suspend ? pool::reach::own : pool::reach::whole;
  if (team.take(current, is_wanted, taken, how)) return true;
  return Pool::traits.looks_by_force && !can_suspend && team.take(current, is_wanted, taken, pool::reach::force);
}

template <pool::task_pool Pool, class Rules>
template <class Predicate>
[[gnu::always_inline]] inline bool team_of<Pool, Rules>::take(worker& current, Predicate is_wanted, task& taken,
                                                              pool::reach how) {
  const pool::get_result found = pool().take(current, is_wanted, taken, how);
  if (found.advised.what != pool::advice::wake_none) [[unlikely]]
    follow(found.advised, &current);
  return found.has_task();
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::look_for(member& self, bool (*wanted)(const task&), task& taken, found_by whom) {
  if (whom == found_by::anybody) return take_own(self, wanted, taken, false);
  return Pool::traits.keeps_to_owners && take(self, wanted, taken, pool::reach::own);
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::take_at_once(worker& current, task& next) {
  auto& self = static_cast<member&>(current);
  // As look begins. What begins so would begin without its word.
  if (pool::tracks_started<Pool> || !self.mailbox.seems_empty() || self.carried_by != nullptr) return false;
  if (!get(self, next, pool::reach::own)) return false;
  if constexpr (in_line) {
    // It begins behind what the one that is set aside does yet, which may be a push.
    const auto block = [&] { return memory().allocate(self, mem::block_kind::argument); };
    if (pool().lane(self).keep(next, block)) [[likely]]
      return true;
    if (pool().lane(self).put_back()) end_push(self, next, static_cast<std::uint8_t>(queue::pushed::asked));
    return false;
  }
  return true;
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::take_child(worker& current, const void* group, task& taken, bool can_suspend) {
  // A mutant takes whatever it finds, but for fibers, which would not come back.
  const auto is_wanted = [group](const task& candidate) {
    return is_child_of(candidate, group) || (!Rules::waits_run_children_only && candidate.entry != &fibers::resume_entry);
  };
  return take_own(current, is_wanted, taken, can_suspend);
}

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::take_back(worker& current, task wanted, bool can_suspend) {
  task taken;
  return take_own(current, pool::exactly{wanted}, taken, can_suspend);
}

template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::add_pool_totals(team_totals& totals) const {
  const pool::pool_statistics seen = pool().statistics();
  totals.peak_live_tasks = seen.peak_live_tasks;
  totals.peak_bytes = memory().peak_bytes() + seen.array_bytes;
  totals.counters[static_cast<unsigned>(trace::counter::queue_lock_waits)] = seen.lock_waits;
  totals.counters[static_cast<unsigned>(trace::counter::overflows)] = seen.overflows;
}

}  // namespace TEFF_NAMESPACE::workers
