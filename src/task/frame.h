// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/task.h"

#include <cstdint>

namespace TEFF_NAMESPACE {

/// Addresses of texts and frames have so many bits; above them is room for a number.
inline constexpr unsigned address_bits = 48;
inline constexpr std::uint64_t address_mask = (std::uint64_t{1} << address_bits) - 1;

/// Who runs: the address of the task's frame, and above it a number that tells the tasks apart which run in frames at one address
/// one after the other: all but each 65,535th that was asked.
using task_identity = const void*;

struct full_frame;

/// What the pool keeps of a task that has begun, if it keeps track of such (pool/pool.h): an order, a place, a quota. Empty: it
/// knows nothing of it, as of a task that began without having been in the pool.
struct started {
  void* word = nullptr;
};

/// What runs on a fiber: a full frame for the task that the loop took, and above it one for each task that runs in the wait of
/// the one below it: a full one, or, for the forked task of a join, no more than this.
///
/// Written by who runs on the fiber, read by who explains why it waits; the label, also of a task that runs.
/// Cost: to begin a task in a frame: two stores. The number of its identity is drawn when somebody asks for it.
class task_frame {
 public:
  /// A task begins, on top of the one that runs in `below`.
  task_frame(task_frame* below, const char* label) : below_(reinterpret_cast<std::uintptr_t>(below)) { begin(label); }

  /// A task begins here, as a text says that lives as long as the program: a literal, or label_of.
  void begin(const char* text) { label_.set(reinterpret_cast<std::uintptr_t>(text)); }
  /// Another text for the task that runs here.
  void show(const char* text) { label_.set(reinterpret_cast<std::uintptr_t>(text) | (label_.value() & ~address_mask)); }
  /// Returns: nullptr if nothing was shown since the loop began the task.
  const char* label() const { return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(label_.value() & address_mask)); }
  /// Returns: the frame of the task in whose wait this one runs; nullptr if there is none.
  task_frame* below() const { return reinterpret_cast<task_frame*>(below_ & ~is_full); }
  /// Returns: the whole frame; nullptr if this is all.
  inline const full_frame* full() const;
  inline full_frame* full();
  /// Returns: the group that the task is a child of; nullptr if it is none, or runs in a join.
  inline const void* group() const;

  /// Returns: who runs here: the same as long as it runs. `draw()` gives a number that is not 0. Threads: the task.
  template <class Draw>
  task_identity identity(Draw draw) {
    if ((label_.value() & ~address_mask) == 0) label_.set(label_.value() | std::uint64_t{draw()} << address_bits);
    return reinterpret_cast<task_identity>(reinterpret_cast<std::uintptr_t>(this) | (label_.value() & ~address_mask));
  }

  static constexpr char c_function[] = "a C function";

 protected:
  static constexpr std::uintptr_t is_full = 1;  ///< beside an address in below_
  task_frame() : below_(is_full) {}
  void lie_on(task_frame* below) { below_ = reinterpret_cast<std::uintptr_t>(below) | is_full; }

 private:
  friend class forked_task_above;

  platform::statistic label_;  ///< the text; above it the number of the identity, 0 before it is drawn
  std::uintptr_t below_;
};

/// The frame of a task that came out of the pool.
struct full_frame : task_frame {
  task what;
  const void* group = nullptr;  ///< that the task is a child of
  const char* name = nullptr;   ///< lives as long as the task
  const void* code = nullptr;   ///< of a task whose label is `c_function`: that function

 private:
  friend class task_above;
};

inline const full_frame* task_frame::full() const {
  return (below_ & is_full) != 0 ? static_cast<const full_frame*>(this) : nullptr;
}
inline full_frame* task_frame::full() { return (below_ & is_full) != 0 ? static_cast<full_frame*>(this) : nullptr; }
inline const void* task_frame::group() const { return full() != nullptr ? full()->group : nullptr; }

inline const task_frame* frame_of(task_identity who) {
  return reinterpret_cast<const task_frame*>(reinterpret_cast<std::uintptr_t>(who) & address_mask);
}

/// Returns: a text that names the type, for task_frame::show; task_name.h makes it readable.
template <class Function>
constexpr const char* label_of() {
  return __PRETTY_FUNCTION__;
}

/// What the argument of a group's child points to first.
struct child_head {
  child_head(const void* group, void (*run)(worker& current, child_head* self))
      : run(run), group_(reinterpret_cast<std::uintptr_t>(group)) {}

  const void* group() const { return reinterpret_cast<const void*>(group_ & address_mask); }
  /// In which of its group's cells the child is counted (sync/group.h).
  unsigned cell() const { return static_cast<unsigned>(group_ >> address_bits); }
  void is_counted_in(unsigned cell) { group_ |= std::uint64_t{cell} << address_bits; }

  void (*run)(worker& current, child_head* self);

 private:
  std::uint64_t group_;  ///< the address of the group; above it the number of the cell
};

/// The entry of every group's child, so that a waiting task finds its own among others. Programs that link the library
/// dynamically may have a copy of their own: see worker_operations.
inline void run_child(worker& current, void* argument) {
  auto* self = static_cast<child_head*>(argument);
  self->run(current, self);
}

inline bool is_child_of(const task& candidate, const void* group) {
  if (candidate.entry != &run_child) return false;
  platform::touch(candidate.argument, sizeof(child_head), platform::to_read);
  return static_cast<const child_head*>(candidate.argument)->group() == group;
}

}  // namespace TEFF_NAMESPACE
