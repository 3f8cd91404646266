// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of a worker that public headers see: enough to reach the team through one indirect call.
#pragma once

#include "task/task.h"

#include <cstddef>

namespace teff::inline TEFF_PLATFORM {

/// What a running task may ask of its team; one table per team, constant while the team exists.
struct worker_operations {
  /// Effect: makes a task ready. If memory for it is refused, it runs before this returns. Blocks: for a queue's lock.
  void (*put)(worker& current, task ready);
  /// Effect: runs the task now, as put does when memory is refused: exceptions are kept, it is counted.
  void (*run_in_place)(worker& current, task refused);
  /// Returns: an argument block, owned by the caller, or nullptr if memory is refused.
  void* (*allocate_argument)(worker& current);
  void (*release_argument)(worker& current, void* argument);
  std::size_t argument_bytes;  ///< size of an argument block
};

struct worker_head {
  const worker_operations* operations;
  unsigned id;              ///< 0 … workers − 1 within the team
  bool discarding = false;  ///< an entry function that is called now disposes of its argument and does not run
};

/// A worker* always points to its worker_head first: this is the one place that relies on it.
inline worker_head& head(worker& current) { return reinterpret_cast<worker_head&>(current); }

}  // namespace teff::inline TEFF_PLATFORM
