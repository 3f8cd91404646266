// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/fiber.h"
#include "task/worker.h"

#include <cstdint>
#include <exception>

namespace teff::inline TEFF_PLATFORM::sync {

/// Children that somebody waits for: the state behind task_group and future.
///
/// Idea: one word counts the children that have not finished and those that nobody has begun, and says whether the waiter sleeps.
/// Whoever
///   finishes the last child touches the group again only if the waiter sleeps, since else it may be gone.
/// Invariants: unstarted ≤ unfinished. At most one task waits. `waiter_sleeps` is set only while children are unfinished, and it
///   is taken off in the same step as the last of them: so each sleep is ended once, although others may spawn and end children
///   meanwhile.
/// Cost: spawn, begin and end of a child: one read-modify-write each (end: a compare-and-swap). A wait runs the unstarted
/// children on its own stack, the one that
///   it finds first, and suspends when none is left that it may take.
class group final : public fibers::awaited {
 public:
  group() = default;
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  // --- a child -------------------------------------------------------------------------------------------------------------
  void add() { word_.fetch_add(one_unfinished + one_unstarted, platform::relaxed); }
  void begin() { word_.fetch_sub(one_unstarted, platform::relaxed); }
  /// Effect: the group may be gone afterwards.
  void end();
  void keep_exception() noexcept;

  // --- the owner -----------------------------------------------------------------------------------------------------------
  /// Effect: returns when every child has finished. Pre: called by a task; nobody else waits.
  void wait(worker& current);
  bool finished() const { return unfinished(word_.load(platform::acquire)) == 0; }
  void cancel() { cancelled_.store(true, platform::release); }
  bool cancelled() const { return cancelled_.load(platform::relaxed); }
  /// Returns: the first exception of the children that have finished, once, and how many there were since the last call. Pre:
  /// finished.
  std::exception_ptr take_exception();
  std::uint64_t take_exception_count();
  /// Effect: children run again. Pre: finished.
  void reset() { cancelled_.store(false, platform::relaxed); }

  const char* kind() const noexcept override { return "its children"; }
  bool only_tasks_end_it() const noexcept override { return true; }

 private:
  static constexpr std::uint64_t one_unfinished = 1, waiter_sleeps = std::uint64_t{1} << 31,
                                 one_unstarted = std::uint64_t{1} << 32;
  static constexpr std::uint64_t unfinished(std::uint64_t word) { return word & (waiter_sleeps - 1); }
  static constexpr std::uint64_t unstarted(std::uint64_t word) { return word >> 32; }

  bool run_one_in_place(worker& current, bool can_suspend);
  void wait_without_stack(worker& current);
  void refuse_wait(worker& nobody);
  /// A task on its way to sleep; lies on its own stack.
  struct sleeper {
    group& at;
    fibers::fiber* who;  ///< nullptr: a child, which waits for its own end; nobody wakes it, and the hang report says why
  };
  static void fall_asleep(void* sleeper);

  /// [group] end: release, the waiter: acquire: it sees what the children did.
  platform::atomic<std::uint64_t> word_{0};
  fibers::fiber* waiter_ = nullptr;  ///< ordered by waiter_sleeps in the word
  platform::atomic<bool> cancelled_{false};
  platform::atomic<std::uint64_t> exceptions_{0};
  std::exception_ptr first_exception_;  ///< written by who made exceptions_ 1; read by the owner when all have finished
};

}  // namespace teff::inline TEFF_PLATFORM::sync
