// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team for threads that are no workers.
#pragma once

#include "sync/mutex.h"
#include "worker/team.h"

#include <memory>

namespace teff::inline TEFF_PLATFORM::runtime {

/// A team whose run goes on until the entrance is closed, and through which any number of threads call functions as tasks.
///
/// Idea: a thread of its own is worker 0 of one long run, which a source keeps open. Who calls injects a task that lies on its
/// stack, and waits for it.
/// Invariants: between calls all workers are parked, and nobody else has tasks in the team. Owns: the team, the thread. Threads:
/// call: any, also tasks of other teams.
/// Cost: a call: the pool's inject and up to three wake-ups, of two workers and of the caller.
/// Considered: the caller as worker 0 of a run of its own: one wake-up less, but a second caller would have to wait until the
///   first one's run has ended, and a worker's number would stand for several threads of the program.
class entrance {
 public:
  /// Effect: starts the run. If the system refuses the thread, those who call run it themselves, one at a time.
  explicit entrance(std::unique_ptr<workers::team_base> team);
  entrance(const entrance&) = delete;
  entrance& operator=(const entrance&) = delete;
  /// Effect: ends the run and the threads. Pre: no call is going on; the process that made it.
  ~entrance();

  /// Effect: calls function(context&, argument), which throws nothing, as a task, and returns when it has returned. Errors:
  ///   std::bad_alloc. Pre: the caller is no task of this team.
  void call(void (*function)(context& here, void* argument), void* argument);
  /// Effect: makes a task ready, and waits for nothing. Returns: false if memory is refused. Pre: as call's.
  bool put(task ready);
  workers::team_base& team() { return *team_; }
  /// Whether the caller is a thread that runs its tasks, so that it cannot wait for its end.
  bool owns_this_thread() { return thread_.is_current() || team_->owns_this_thread(); }

 private:
  static void thread_main(void* self);
  bool run_alone(task root);

  std::unique_ptr<workers::team_base> team_;
  platform::thread thread_;
  sync::mutex alone_;  ///< held by who runs the team itself
};

}  // namespace teff::inline TEFF_PLATFORM::runtime
