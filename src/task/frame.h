// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/task.h"

#include <cstdint>

namespace teff::inline TEFF_PLATFORM {

/// What runs on a fiber: one frame for the task that the loop took, and above it one for each task that a wait runs in place.
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

/// Who runs: the address of the task's frame, and in the bits above it a number that tells the tasks apart which run in one frame
/// one after the other: all but each 65,536th.
using task_identity = const void*;
inline constexpr unsigned frame_address_bits = 48;

inline task_identity identity_of(const task_frame& frame, std::uint64_t number) {
  return reinterpret_cast<task_identity>(reinterpret_cast<std::uintptr_t>(&frame) | number << frame_address_bits);
}
inline const task_frame* frame_of(task_identity who) {
  constexpr std::uintptr_t address = (std::uintptr_t{1} << frame_address_bits) - 1;
  return reinterpret_cast<const task_frame*>(reinterpret_cast<std::uintptr_t>(who) & address);
}

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
