// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loop where it is another one: on a thread's own stack, for want of others, and of a worker that a thread outside carries
/// until its call has returned (guest.h).
#pragma once

#include "task/closure.h"
#include "worker/loop.h"

namespace TEFF_NAMESPACE::workers {

template <pool::task_pool Pool, class Rules>
fibers::fiber* team_of<Pool, Rules>::work_without_stack(member& self) {
  full_frame frame;
  self.here->frame = &frame;
  task& next = frame.what;
  bool has_task = false;
  if (self.is_new && !(has_task = search(self, frame))) return nullptr;
  for (; has_task || look(self, next) || search(self, frame); has_task = false) {
    if (next.entry == &fibers::resume_entry) return static_cast<fibers::fiber*>(next.argument);
    execute(self, next);
    tell_end(self);
  }
  return nullptr;
}

/// Whether a task that the worker of a guest has found may keep that from going back to its caller in time: it is left to threads
/// of the team. Forked tasks are none of those: who forked them waits for them, and so does the call.
template <pool::task_pool Pool, class Rules>
bool team_of<Pool, Rules>::is_for_others(member& self, task& next) {
  if constexpr (in_line) {
    // First of all: it may run elsewhere, when its slot is another one's.
    const auto block = [&] { return memory().allocate(self, mem::block_kind::argument); };
    if (pool().lane(self).is_in_slot(next)) return pool().lane(self).keep(next, block);
  }
  // Of what came from outside, and what that made, a worker that finds it sees the count, too.
  const guest& caller = *self.carried_by;
  if (caller.is_over() || others_came(caller)) return !guest::must_go_on(next);
  if (next.entry == &fibers::resume_entry) return !guest::may_go_on(self, *static_cast<fibers::fiber*>(next.argument));
  return next.entry == &run_child || next.entry == &run_moved;
}

/// The loop, as long as a guest carries the worker; then that of whatever worker the fiber is on.
template <pool::task_pool Pool, class Rules>
void team_of<Pool, Rules>::work_for_call(member& first, bool has_task) {
  member* self = &first;
  fibers::fiber& own = *first.own_carrier.running();
  full_frame& frame = own.frame;
  first.here->frame = &frame;
  task& next = frame.what;
  own.of_a_call = true;
  bool is_call = has_task && !std::exchange(first.carried_by->has_begun, true);
  if constexpr (Pool::traits.workers_come_by_need && Rules::sees_to_others) {
    // As behind a search.
    if (is_call) taking_part_.found_a_task(first, taking_part_.lacks_a_watch() && idle_->nobody_has_announced());
  }
  while (self != nullptr && self->carried_by != nullptr) {
    if (has_task || look(*self, next) || search(*self, frame)) {
      if (next.entry == &guest::end_loop) {  // this one is the right one
        platform::tasks_wait(-1);            // it does not run
        self->ends_loop = has_task = false;
        continue;
      }
      if (!std::exchange(is_call, false) && is_for_others(*self, next)) {
        go_on_elsewhere(*self);
        self = &static_cast<member&>(own.here.current());
      }
      has_task = false;
      member& now = execute(*self, next);
      tell_end(now);
      self = &now;
    } else {
      self = nullptr;
    }
  }
  own.of_a_call = false;
  if (self != nullptr) work(*self, false);
}

}  // namespace TEFF_NAMESPACE::workers
