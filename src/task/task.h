// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE {

struct worker;

/// What a task does: runs on `current` with the argument that was put with it. It owns the argument from then on. It begins in
/// the frame of the context (task_frame::begin), and leaves the frame's group as it was. If head(current).discarding() holds, the
/// task will never run: the function only disposes of the argument.
using entry_function = void (*)(worker& current, void* argument);

/// A ready task by value: what the slots of array pools hold, and what list pools copy into their nodes. Trivially copyable;
/// whoever got it from a pool runs it exactly once.
struct task {
  entry_function entry = nullptr;
  void* argument = nullptr;

  friend bool operator==(const task&, const task&) = default;
};

/// Effect: to = from, word by word. A wide load soon after the two narrow stores of a put would wait until they reach the cache
/// (a quarter of the time of an empty task); cmake/TeffOptions.cmake keeps the compiler from making one.
inline void copy_task(const task& from, task& to) {
  to.entry = from.entry;
  to.argument = from.argument;
}

}  // namespace TEFF_NAMESPACE
