// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/frame.h"
#include "task/worker_head.h"

#include <cstdint>

namespace TEFF_NAMESPACE {
class context;
}

namespace TEFF_NAMESPACE::fibers {
struct fiber;
}

namespace TEFF_NAMESPACE::sync {

/// One task that lies on the stack of the task that offers it, which settles it before it leaves: the state behind join.
///
/// Idea: the *owner* offers the forked task to the pool, and later takes it back, or waits for it; the *runner* is who got it
/// from the
///   pool. Nothing is allocated: the pool's slot points to the forked task.
/// Exactly once: the pool hands a task to one caller. So either the owner gets it back, and no runner ever will; or a runner has
///   it, and the owner waits until that has ended it. (A worker that its task keeps may get it in the owner's name: a runner,
///   too.)
/// Life: the owner leaves the forked task's scope only after it took that back or read `done`. A runner's last access is the one
///   that sets `done`, unless it sees that the owner sleeps: then the owner goes on only after the runner has made it ready.
/// Counts: a forked task counts as created when a runner begins it. One that its owner takes back is a part of the owner's task,
///   which does not finish before (worker/idle/README.md).
///
/// | field   | written by                                      | read by                                      |
/// |---------|-------------------------------------------------|----------------------------------------------|
/// | word_   | the runner (done), the owner (sleeps, and back) | both                                         |
/// | begun_  | the runner                                      | the owner, as a hint that somebody is hungry |
/// | waiter_ | the owner, before `sleeps`                      | the runner that sees `sleeps`                |
///
/// The functions of the owner get the forked task as a task, which is what its address and its type's entry function make.
/// Cost: two stores to make one. A runner's end and an owner's sleep: one read-modify-write each.
class forked_task {
 public:
  forked_task() {}
  forked_task(const forked_task&) = delete;
  forked_task& operator=(const forked_task&) = delete;

  // --- the owner -----------------------------------------------------------------------------------------------------------
  /// Effect: takes the forked task out of the pool. Returns: false if a runner has it, if this worker does not find it, or if the
  /// pool's
  ///   waiters suspend at once and this one can.
  bool take_back(worker& current, task self, bool can_suspend = true);
  /// Effect: returns when a runner has ended it. Blocks: the fiber.
  void wait(worker& current, task self);
  bool finished() const { return (word_.load(platform::acquire) & done) != 0; }  // [forked]
  /// Whether somebody has begun it: a hint.
  bool begun() const { return begun_.load(platform::relaxed); }

  // --- the runner ----------------------------------------------------------------------------------------------------------
  /// Effect: counts the forked task, and says that it runs here.
  void begin(worker& current, const char* label);
  /// Effect: the forked task may be gone afterwards.
  void end(context& here);

 private:
  static constexpr std::uint32_t sleeps = 1, done = 2;

  static void fall_asleep(void* self);
  static bool stay_awake(void* self);

  /// [forked] end: release, the owner: acquire: it sees what the forked task did.
  platform::atomic<std::uint32_t> word_{0};
  platform::atomic<bool> begun_{false};
  fibers::fiber* waiter_;  ///< ordered by `sleeps` in the word
};

}  // namespace TEFF_NAMESPACE::sync
