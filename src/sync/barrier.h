// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where several wait for one another: barrier (again and again) and latch (once).
#pragma once

#include "sync/waiting.h"

#include <cstddef>

namespace TEFF_NAMESPACE::sync {

/// Phases, each of which ends when all have arrived. What is done between two phases is the caller's (teff/sync.hpp): who arrives
/// last does it, then calls complete.
///
/// Invariants: waiters wait for the end of the current phase.
/// No wake-up is lost: the phase is compared, and ended, under the lock. Fair: all go on together. Cost: the object's lock; the
///   last one makes all others ready.
template <class Rules = rules>
class basic_barrier : public object {
 public:
  struct arrival {
    std::uint64_t phase;
    bool last;
  };

  /// Pre: expected > 0.
  explicit basic_barrier(std::ptrdiff_t expected, wait_policy policy = default_policy())
      : object(policy), expected_(expected), missing_(expected) {}

  /// Effect: so many arrive; `dropped` of them for good. Pre: 1 … those that this phase still expects: else the program ends with
  /// a sentence. Post: if it was the last one, the caller calls complete. Blocks: never.
  arrival arrive(std::ptrdiff_t update, std::ptrdiff_t dropped = 0) {
    platform::lock_guard guard(lock_);
    TEFF_REQUIRE(update > 0 && update <= missing_,
                 "more arrived at a barrier in one phase than it was made for, or fewer than one");
    missing_ -= update;
    expected_ -= dropped;
    return {phase_, missing_ == 0};
  }

  /// Effect: the next phase begins, and all go on.
  void complete() {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      ++phase_;
      missing_ = expected_;
      release_all(next);
    }
    next.deliver();
  }

  /// Effect: returns when that phase has ended. Threads: tasks and foreign threads. Blocks: the fiber.
  void wait(std::uint64_t phase) TEFF_NOT_ANALYSED {
    lock_.acquire();
    if (phase_ != phase) return lock_.release();
    waiter self;
    wait_here<Rules>(self);
  }

  const char* kind() const noexcept override { return "a barrier"; }

 private:
  std::uint64_t phase_ = 0;
  std::ptrdiff_t expected_, missing_;
};

/// A count that goes down to 0 once, and lets all go.
///
/// No wake-up is lost: the count is looked at, and becomes 0, under the lock. Cost: the object's lock.
template <class Rules = rules>
class basic_latch : public object {
 public:
  /// Pre: expected ≥ 0.
  explicit basic_latch(std::ptrdiff_t expected, wait_policy policy = default_policy()) : object(policy), missing_(expected) {}

  /// Pre: 0 … what is left: else the program ends with a sentence. Blocks: never.
  void count_down(std::ptrdiff_t update) {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      TEFF_REQUIRE(update >= 0 && update <= missing_, "a latch is counted down by 0 or more, in all as often as it was made for");
      missing_ -= update;
      if (missing_ == 0) release_all(next);
    }
    next.deliver();
  }

  /// Effect: returns when the count is 0. Returns: false if the deadline (of platform::now_ns) passed first. Blocks: the fiber.
  bool wait_until(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    const bool now = missing_ == 0;
    if (now || deadline_ns == has_passed) {
      lock_.release();
      return now;
    }
    waiter self;
    return wait_here<Rules>(self, deadline_ns);
  }

  const char* kind() const noexcept override { return "a latch"; }

 private:
  std::ptrdiff_t missing_;
};

extern template class basic_barrier<rules>;
extern template class basic_latch<rules>;

}  // namespace TEFF_NAMESPACE::sync
