// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a member that waits comes to sleep, and stands up: README.md, *Waits and wake-ups*.
#pragma once

#include "compat/openmp/events.h"
#include "compat/openmp/forked.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/wait_rounds.h"

namespace TEFF_NAMESPACE::openmp {

inline wait_rounds rounds_of(member& current) {
  const bool crowded = current.in.crowded.load(platform::relaxed);  // as in team
  return {current.in.spin(crowded), crowded ? &current.gauge : nullptr};
}

/// Effect: says that the member will sleep. What it sees from here on, nobody who makes it true later fails to wake it for. Who
/// waits for certain tasks leaves the others to whoever may run them.
inline void announce(member& current, bool for_tasks) {
  if (current.in.is_left_behind()) end_forked_child();  // the task that called _Fork() is back in a wait that its parent began
  if (for_tasks) share_tasks(current);
  current.waits_for_tasks.store(for_tasks, platform::relaxed);
  current.in.sleepers.announce(current.word);
  look_for_events(current);
}

/// Effect: the member is awake. Returns: whether it was called for a task. Whoever saw that it is called, and so called nobody
/// else, has put its task before: either this member's looks come later, or the other one sees it awake. [call]
inline bool stand_up(member& current) {
  const bool called = current.word.exchange(workers::sleepers::awake, platform::seq_cst) == member::called;
  platform::fence(platform::seq_cst);
  return called;
}

/// Effect: takes the announcement back. Returns: whether somebody has called the member for a task.
inline bool retract(member& current) {
  // If not: it is napping, which nobody counts, or woken.
  return !current.in.sleepers.take_back(current.word) && stand_up(current);
}

}  // namespace TEFF_NAMESPACE::openmp
