// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/frame.h"
#include "task/worker.h"

#include <cstdint>

namespace teff::inline TEFF_PLATFORM::fibers {
struct fiber;
}

namespace teff::inline TEFF_PLATFORM::sync {

/// One task that lies on the stack of the task that forked it, which settles it before it leaves: the state behind join.
///
/// Idea: the *owner* forks the job into the pool, and later takes it back, or waits for it; the *runner* is who got it from the
///   pool. Nothing is allocated: the pool's slot points to the job.
/// Exactly once: the pool hands a task to one caller. So either take_back gets it, and no runner ever will; or a runner has it,
///   and the owner waits until that has ended it.
/// Life: the owner leaves the job's scope only after take_back succeeded or it read `done`. A runner's last access is the one
///   that sets `done`, unless it sees that the owner sleeps: then the owner goes on only after the runner has made it ready.
///
/// | field   | written by                                      | read by                                      |
/// |---------|-------------------------------------------------|----------------------------------------------|
/// | word_   | the runner (done), the owner (sleeps)           | both                                         |
/// | begun_  | the runner                                      | the owner, as a hint that somebody is hungry |
/// | dropped_| the owner, after it took the job back           | the same                                     |
/// | waiter_ | the owner, before `sleeps`                      | the runner that sees `sleeps`                |
///
/// Cost: fork: a put. take_back: the pool's get_if, whose first candidate it is unless something blocked in between. A runner's
///   end and an owner's sleep: one read-modify-write each.
class job : public child_head {
 public:
  explicit job(void (*run)(worker& current, child_head* self)) : child_head{this, run} {}
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  // --- the owner -----------------------------------------------------------------------------------------------------------
  /// Effect: makes the job a ready task. If memory for it is refused, it has run when this returns.
  void fork(worker& current) { current_operations(current).put(current, as_task()); }
  /// Effect: takes the job out of the pool and runs it as the loop does, on the caller's stack. Returns: false if a runner has
  ///   it, if this worker does not find it, or if the pool's waiters suspend at once.
  bool take_back_and_run(worker& current);
  /// Effect: as take_back_and_run, without running it; if that is impossible, waits for the runner. Blocks: the fiber.
  void drop(worker& current);
  /// Effect: returns when the runner has ended it. Blocks: the fiber.
  void wait(worker& current);
  bool finished() const { return (word_.load(platform::acquire) & done) != 0; }  // [job]
  /// Whether somebody has begun it: a hint.
  bool begun() const { return begun_.load(platform::relaxed); }

  // --- the runner ----------------------------------------------------------------------------------------------------------
  /// Effect: says that it runs here. Returns: false if there is nothing to do: it was dropped, or the team gives up what is left.
  bool begin(worker& current, const char* label);
  /// Effect: the job may be gone afterwards.
  void end();

 private:
  static constexpr std::uint32_t sleeps = 1, done = 2;

  static const worker_operations& current_operations(worker& current) { return *head(current).operations; }
  task as_task() { return {&run_child, static_cast<child_head*>(this)}; }
  bool take_back(worker& current, bool can_suspend);
  void run_here(worker& current);
  void wait_without_stack(worker& current);
  static void fall_asleep(void* self);

  /// [job] end: release, the owner: acquire: it sees what the job did.
  platform::atomic<std::uint32_t> word_{0};
  platform::atomic<bool> begun_{false};
  bool dropped_ = false;
  fibers::fiber* waiter_ = nullptr;  ///< ordered by `sleeps` in the word
};

}  // namespace teff::inline TEFF_PLATFORM::sync
