// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/stack_pointer.h"
#include "task/frame.h"
#include "task/worker_head.h"

namespace TEFF_NAMESPACE {

/// A running task's handle on its worker, given to the task's function. Valid while that function runs, on its own thread of
/// control only; after a call that suspends the task it stands for the worker on which the task goes on.
///
/// Invariants: there is one for each fiber, whatever tasks run on it; whoever continues a fiber sets its worker.
class context {
 public:
  explicit context(worker& current) { continue_on(current); }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// Effect: makes `function` (called once as function(context&)) a ready task of the same team, which runs at any time from
  /// now on, on any worker that the team's pool allows.
  /// Pre: to copy `function` neither puts nor waits.
  /// Errors: an exception that escapes from it is rethrown by team::run; of the default team the first one is told on standard
  ///   error, as nobody runs that. If memory for the task is refused, it runs first,
  ///   or, without a stack for that, on this one (in_place_for_memory).
  /// Blocks: for the lock of a queue. If the new one runs first, because memory for it was refused or, with the default pool,
  /// very
  ///   many tasks of this worker wait, this one goes on later, perhaps on another worker (docs/design/default-pool.md;
  ///   no_suspend).
  /// Cost: what the pool's header says (docs/catalogue.md), and, but for the default pool and memory manager, an indirect call
  /// each.
  template <class Function>
  void put(Function&& function);

  /// Returns: the number of the worker that runs this task, 0 … workers − 1.
  unsigned worker_id() const { return head(*worker_).id; }

  /// For the runtime: the worker, and what a switch does.
  worker& current() const { return *worker_; }
  void continue_on(worker& current) {
    worker_ = &current;
    tasks_ = head(current).tasks;
  }
  /// For the runtime: the worker's.
  void* tasks() const { return tasks_; }
  /// For the runtime: how many no_suspend scopes the task is in.
  unsigned no_suspend_scopes = 0;
  /// For the runtime: not 0 in a put by C code, which keeps a handle on its worker: set aside, the fiber goes on there.
  unsigned kept_handles = 0;
  /// For the runtime: while pins and unpins do not balance, the fiber goes on on its worker, and its worker on its thread.
  void pin() {
    if (pins_++ == 0) ++head(*worker_).pinned;
  }
  void unpin() {
    if (--pins_ == 0) --head(*worker_).pinned;
  }
  bool is_pinned() const { return pins_ != 0; }
  /// For the runtime: what runs here now.
  task_frame* frame = nullptr;
  /// For the runtime: whether a call may go deeper here, or rather goes on on another stack.
  [[gnu::always_inline]] bool has_room() const { return platform::stack_is_above(low_mark_); }
  void keep_free_below(const char* low_mark) { low_mark_ = low_mark; }
  /// For the runtime: who that is; nullptr if no task runs.
  task_identity identity() {
    return frame == nullptr ? nullptr : frame->identity([this] {
      if (++numbers_drawn_ == 0) ++numbers_drawn_;
      return numbers_drawn_;
    });
  }

 private:
  /// Returns: for contexts that are made one after the other, where the next may lie at the same address, numbers far apart.
  static std::uint16_t first_number() {
    static platform::atomic<std::uint32_t> made{0};
    // relaxed: only a number goes by it.
    return static_cast<std::uint16_t>(made.fetch_add(1, platform::relaxed) * 40'503);
  }

  worker* worker_;
  void* tasks_;
  const char* low_mark_ = nullptr;  ///< the middle of the fiber's stack; nullptr: a thread's own stack
  unsigned pins_ = 0;
  std::uint16_t numbers_drawn_ = first_number();

 public:
  /// For the pool: what it keeps of the task that the loop runs here.
  started own;
};

/// For the runtime: for a scope, a task runs on top of the one that has called it or waits for it.
class task_above {
 public:
  task_above(context& here, full_frame& own) : here_(here), own_(own) {
    own.lie_on(here.frame);
    here.frame = &own;
  }
  ~task_above() { here_.frame = own_.below(); }
  task_above(const task_above&) = delete;
  task_above& operator=(const task_above&) = delete;

 private:
  context& here_;  // the fiber's: it follows the fiber from worker to worker
  full_frame& own_;
};

/// For the runtime: the same for the forked task of a join, which needs no more of a frame. Cost: two stores.
class forked_task_above {
 public:
  /// Pre: the frame was made on top of here.frame.
  [[gnu::always_inline]] forked_task_above(context& here, task_frame& own) : here_(here), own_(own) { here.frame = &own; }
  [[gnu::always_inline]] ~forked_task_above() { here_.frame = reinterpret_cast<task_frame*>(own_.below_); }
  forked_task_above(const forked_task_above&) = delete;
  forked_task_above& operator=(const forked_task_above&) = delete;

 private:
  context& here_;
  task_frame& own_;
};

}  // namespace TEFF_NAMESPACE
