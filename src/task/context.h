// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/frame.h"
#include "task/worker_head.h"

namespace teff::inline TEFF_PLATFORM {

/// A running task's handle on its worker, given to the task's function. Valid while that function runs, on its own thread of
/// control only; after a call that suspends the task it stands for the worker on which the task goes on.
///
/// Invariants: there is one for each fiber, whatever tasks run on it; whoever continues a fiber sets its worker.
class context {
 public:
  explicit context(worker& current) : worker_(&current) {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// Effect: makes `function` (called once as function(context&)) a ready task of the same team, which runs at any time from
  /// now on, on any worker that the team's pool allows.
  /// Errors: an exception that escapes from it is rethrown by team::run. If memory for the task is refused, it runs at once, on
  ///   this stack, before put returns (counted as in_place_for_memory).
  /// Blocks: for the lock of a queue; with the default pool, if very many tasks of this worker wait, the new one runs first, and this
  /// one goes on later, perhaps on another worker (docs/design/default-pool.md; no_suspend). Cost: one indirect call and what the pool's header says (docs/catalogue.md).
  template <class Function>
  void put(Function&& function);

  /// Returns: the number of the worker that runs this task, 0 … workers − 1.
  unsigned worker_id() const { return head(*worker_).id; }

  /// For the runtime: the worker, and what a switch does.
  worker& current() const { return *worker_; }
  void continue_on(worker& current) { worker_ = &current; }
  /// For the runtime: how many no_suspend scopes the task is in.
  unsigned no_suspend_scopes = 0;
  /// For the runtime: what runs here now.
  task_frame* frame = nullptr;

 private:
  worker* worker_;
};

}  // namespace teff::inline TEFF_PLATFORM
