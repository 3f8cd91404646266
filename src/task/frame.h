// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/task.h"

#include <cstdint>

namespace teff::inline TEFF_PLATFORM {

/// What runs on a fiber: one frame for the task that the loop took, and above it one for each task that a wait runs in place.
/// A task's identity as long as it lives: who holds a mutex, who waits for whom.
///
/// Written by who runs on the fiber, read by who explains why it waits; the label, also of a task that runs.
struct task_frame {
  task what;
  const void* group = nullptr;  ///< that the task is a child of
  const char* name = nullptr;   ///< lives as long as the task
  const void* code = nullptr;   ///< of a task whose label is `c_function`: that function
  task_frame* below = nullptr;  ///< in whose wait this one runs
  bool stays = false;           ///< its code keeps a handle on its worker: at the bound on tasks it goes on there

  /// Says what runs, by a text that lives as long as the program: a literal, or label_of.
  void show(const char* text) { label_.set(reinterpret_cast<std::uintptr_t>(text)); }
  /// Returns: nullptr if nothing was shown since the loop began the task.
  const char* label() const { return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(label_.value())); }

  static constexpr char c_function[] = "a C function";

 private:
  platform::statistic label_;
};

/// Returns: a text that names the type, for task_frame::show; task_name.h makes it readable.
template <class Function>
constexpr const char* label_of() {
  return __PRETTY_FUNCTION__;
}

/// What the argument of a group's child points to first.
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
