// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a worker does that finds no task: idle/README.md has the protocol, and why no wake-up is lost.
#pragma once

#include "worker/loop.h"

namespace TEFF_NAMESPACE::workers {

template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::search(member& self, full_frame& frame) {
  require_own_process();
  TEFF_REQUIRE(self.here->frame == &frame, "a task was left by longjmp for one below it on the stack: let it return");
  open_return_slot(self);  // first of all: who waited here may be ready in a moment
  task& next = frame.what;
  frame.begin(nullptr);  // the last task's label would say that it still runs
  self.count(trace::counter::searches);
  if constexpr (Pool::traits.workers_come_by_need) self.searches.store(true, platform::relaxed);  // relaxed: for samples
  const platform::account_scope searching(account_part::searching_alone);
  const bool found = search_rounds(self, next) || sleep(self, next);
  if constexpr (Pool::traits.workers_come_by_need) self.searches.store(false, platform::relaxed);  // relaxed: likewise
  if (fibers::fiber* const back = self.returning.close(); back != nullptr && Rules::gives_on_who_returned) {
    platform::tasks_wait(-1);  // it is put again
    make_ready_anywhere(*back);
  }
  if constexpr (Pool::traits.workers_come_by_need && Rules::sees_to_others) {
    if (found) taking_part_.found_a_task(self, taking_part_.lacks_a_watch() && idle_->nobody_has_announced());
  }
  return found;
}

/// What is left to do when the lane has nothing. After a lost race the worker searches, and looks at all that there is.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::get_slow(member& self, task& next) {
  return get_once(self, next, pool::reach::whole) == pool::get_result::got;
}

/// Effect: fibers that waited on this worker may come back to it, if it need not share a processor with who hands them in.
template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::open_return_slot(member& self) {
  if (Pool::traits.returns_fibers && workers() > 1 && idle_->spins()) self.returning.open();
}

/// Effect: one look at who came back, which closes the slot if somebody did, and then at everything else. Returns: what that
/// answered.
template <pool::task_pool Pool, class Rules>
[[gnu::noinline]] pool::get_result::kind team_of<Pool, Rules>::look_once(member& self, task& next) {
  if (self.returning.holds_one()) {
    next = {&fibers::resume_entry, self.returning.close()};
    return pool::get_result::got;
  }
  if (self.mailbox.pop(next)) return pool::get_result::got;
  return get_once(self, next, pool::reach::whole);
}

/// Effect: looks until there is a task, or none, or somebody has woken this worker. Who is told to look again looks at all that
/// there is: what it was told to look at again may be out of its reach for long (teff: one thief of a domain visits other
/// domains).
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::look_with_slot(member& self, task& next) {
  pool::get_result::kind found = look_once(self, next);
  while (found == pool::get_result::retry) {
    if (idle::is_woken(self)) return false;
    platform::pause();
    found = Rules::looks_again_at_all ? look_once(self, next) : get_once(self, next, pool::reach::whole);
  }
  return found == pool::get_result::got;
}

/// Effect: a look where only one that spares no cost sees something, if nobody wakes this worker for a while. Behind a call on
/// its caller's thread at once, unless no task is alive: then there is nothing to see (idle/README.md, *The end of a call is
/// cheap*).
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::look_by_force(member& self, task& next) {
  if (!Pool::traits.looks_by_force) return false;
  if (is_call_over(self) ? is_at_rest() : idle_->is_answered(self)) return false;
  for (;;) {
    const pool::get_result::kind found = get_once(self, next, pool::reach::force);
    if (found != pool::get_result::retry) return found == pool::get_result::got;
    if (idle::is_woken(self)) return false;
    platform::pause();
  }
}

/// Effect: a worker on the thread of a call that is over goes back to its own, which sleeps, if nobody has woken it. Returns:
/// whether it does. Pre: announced, and arrived.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::leaves_asleep(member& self) {
  if (!is_call_over(self) || idle::is_woken(self)) return false;
  self.carried_by->leaves_asleep = true;
  return true;
}

/// A lost race is a round, too: only the look after the announcement has to know.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::search_rounds(member& self, task& next) {
  for (unsigned round = 0; round < tuning::idle_search_rounds && !is_call_over(self); ++round) {
    platform::pause();
    if (look_once(self, next) == pool::get_result::got) return true;
  }
  return false;
}

/// Effect: announces, looks again, sleeps; until there is a task or the run is over. Returns: whether there is a task.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::sleep(member& self, task& next) {
  bool woken = false;
  for (;;) {
    const bool last = idle_->announce(self);
    bool found = Rules::confirms_after_announcing && look_with_slot(self, next);
    if (!found && stop_.load(platform::acquire)) break;  // acquire: pairs with declare_stop
    if (!found && last && (!Rules::counts_before_stopping || all_finished())) {
      declare_stop(run_result::finished);
      break;
    }
    if (found || (Rules::confirms_after_announcing && look_by_force(self, next))) {
      // A wake-up that came too late for this worker is passed on; one that came in time calls the next worker, in case
      // that what woke it was more than one task.
      if (idle_->retract(self) || woken) idle_->wake_one(self.id, &self);
      return true;
    }
    if (idle_->arrive() && is_stuck()) declare_stop(run_result::stuck);
    // A worker that is asleep is no place to go back to. Who has handed a fiber in wakes this worker.
    fibers::fiber* const back = !is_call_over(self) && idle_->spin(self) ? nullptr : self.returning.close();
    if (back == nullptr && leaves_asleep(self)) return false;  // its call is over
    idle_->wait(self);
    if (back != nullptr) {
      next = {&fibers::resume_entry, back};
      if (Rules::passes_on_when_returned_to) idle_->wake_one(self.id, &self);  // the wake-up may have been for another task
      return true;
    }
    if (stop_.load(platform::acquire)) return false;  // acquire: likewise, before the pool may go
    woken = true;
    open_return_slot(self);
    if (look_with_slot(self, next)) {
      idle_->wake_one(self.id, &self);
      return true;
    }
  }
  idle_->retract(self);
  return false;
}

}  // namespace TEFF_NAMESPACE::workers
