// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/context.h"

namespace TEFF_NAMESPACE::fibers {

class host;

/// What a fiber may wait for, for those who explain why nothing happens.
class awaited {
 public:
  /// Returns: as in "a mutex".
  virtual const char* kind() const noexcept = 0;
  /// Returns: the task that has to do something before the wait ends; nullptr if it is not one certain task.
  virtual const task_frame* holder() const noexcept { return nullptr; }
  /// Whether only tasks of the team can end the wait, so that it never ends if none of them runs: or those of another team of
  /// which any_team_has_children speaks.
  virtual bool only_tasks_end_it() const noexcept { return holder() != nullptr; }
  /// Whether a thread outside of the team is known to be the one that has to do something.
  virtual bool held_outside() const noexcept { return false; }
  /// Returns: its address, as its tasks know it (task_frame::group) and as reports show it.
  virtual const void* seen_as() const noexcept { return this; }
  /// Whether a task that has to end before the wait can may not have begun. A hint.
  virtual bool has_unbegun() const noexcept { return false; }
  /// Whether tasks have to end before the wait can that show `seen_as` as their group on their stacks (task_frame::group), and
  /// that any team may have.
  virtual bool any_team_has_children() const noexcept { return false; }
  /// Effect: takes such a task out of the pool, whatever the pool's habit. Returns: whether the worker found one.
  virtual bool take_unbegun(worker&, task&) const { return false; }
  /// Effect: no fiber of that team waits here any more: the team ends with fibers that never went on. Pre: none of them runs.
  virtual void forget(const host&) const noexcept {}

 protected:
  ~awaited() = default;
};

}  // namespace TEFF_NAMESPACE::fibers
