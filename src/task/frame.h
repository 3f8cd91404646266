// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/task.h"

namespace teff::inline TEFF_PLATFORM {

/// What runs on a fiber: one frame for the task that the loop took, and above it one for each task that a wait runs in place.
/// A task's identity as long as it lives: who holds a mutex, who waits for whom.
struct task_frame {
  task what;
  const void* group = nullptr;  ///< that the task is a child of
  const char* name = nullptr;   ///< given by this_task::set_name; valid for `named` only
  task named;                   ///< the task that was running when the name was given
  task_frame* below = nullptr;  ///< in whose wait this one runs
};

/// A child of a group: what its argument points to first.
struct child_head {
  const void* group;
  void (*run)(worker& current, child_head* self);
};

/// The entry of every group's child, so that a waiting task finds its own among others.
inline void run_child(worker& current, void* argument) {
  auto* self = static_cast<child_head*>(argument);
  self->run(current, self);
}

inline bool is_child_of(const task& candidate, const void* group) {
  return candidate.entry == &run_child && static_cast<const child_head*>(candidate.argument)->group == group;
}

}  // namespace teff::inline TEFF_PLATFORM
