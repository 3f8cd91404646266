// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/mutex.h"
#include "worker/team.h"

#include <memory>

namespace TEFF_NAMESPACE::runtime {

/// The way into a team for threads that are none of its workers: any number of them call functions, which run there as tasks.
///
/// Idea: a thread of the entrance's own runs the team, as its worker 0, once and until the entrance is closed; an open source
///   keeps that run from ending when there are no tasks. The thread of a call carries a worker for it, if nobody in the team has
///   anything to do (worker/README.md, *Calls on the thread of their caller*). Else the call puts a task into the run from
///   outside, and its thread waits until the task has run. Task, node and the event that is waited for lie on that thread's
///   stack.
/// Invariants: between calls there is no task in the team, and all its workers are parked. Owns: the team and the thread.
/// Threads: call and put: any, also tasks of other teams.
/// Cost: a call on its caller's thread: what a worker does who goes to sleep, and a look at each worker's counts. Else the pool's
///   inject, no memory, and up to three wake-ups: of two workers and of the caller.
/// Considered: each call a run of its own, whose worker 0 is the caller. But a second caller would wait until the first one's run
///   has ended.
class entrance {
 public:
  /// Effect: starts the thread, and with it the run. If the system refuses the thread, there is no long run: each call is a run of
  /// its own on its caller's thread, one at a time.
  explicit entrance(std::unique_ptr<workers::team_base> team);
  entrance(const entrance&) = delete;
  entrance& operator=(const entrance&) = delete;
  /// Effect: ends the run, its thread and the team. Pre: no call is going on; this process made the entrance.
  ~entrance();

  /// Effect: a task calls function(context&, argument), which throws nothing; returns when that has returned. Errors:
  ///   std::bad_alloc, if there is no thread and memory is refused. Pre: the caller is no task of this team. Blocks: the thread.
  void call(void (*function)(context& here, void* argument), void* argument);
  /// Effect: makes a task ready, and does not wait for it; without a thread it has run on return. Returns: false if memory is
  /// refused. Pre: as call's.
  bool put(task ready);
  workers::team_base& team() { return *team_; }
  /// Whether the calling thread is one of the team's: it cannot wait until the entrance has ended.
  bool owns_this_thread() { return thread_.is_current() || team_->owns_this_thread(); }

 private:
  static void thread_main(void* self);
  /// Effect: a run of this one task, and those that it puts, on the calling thread. Returns: false if memory is refused.
  bool run_alone(task root);

  std::unique_ptr<workers::team_base> team_;
  platform::thread thread_;
  sync::mutex alone_;  ///< without a thread: held by the caller whose run is going on
};

}  // namespace TEFF_NAMESPACE::runtime
