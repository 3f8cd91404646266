// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

#include <cstddef>

namespace TEFF_NAMESPACE::sync {

/// A number of units that are taken one by one and given back.
///
/// Invariants: the list is empty, or no unit is there.
/// No wake-up is lost: each unit that is given back goes to the one that has waited longest, if there is one, under the lock.
/// Fair: first come, first served. Cost: the object's lock, which is two read-modify-writes.
/// Considered: the count as an atomic with a fast path: half the cost, but who comes then overtakes those on their way.
template <class Rules = rules>
class basic_semaphore : public object {
 public:
  /// Pre: 0 ≤ desired ≤ at_most.
  basic_semaphore(std::ptrdiff_t desired, std::ptrdiff_t at_most, wait_policy policy = default_policy())
      : object(policy), count_(desired), at_most_(at_most) {}

  /// Effect: takes a unit, at once or when one is given back. Returns: false if the deadline (of platform::now_ns) passed first.
  /// Threads: tasks and foreign threads. Blocks: the fiber.
  bool acquire_until(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    const bool now = count_ > 0;
    if (now) --count_;
    if (now || deadline_ns == has_passed) {
      lock_.release();
      return now;
    }
    waiter self;
    return wait_here<Rules>(self, deadline_ns);
  }

  /// Effect: gives units back. Pre: not negative, and there are never more than at_most: else the program ends with a sentence.
  /// Blocks: never.
  void release(std::ptrdiff_t update) {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      TEFF_REQUIRE(update >= 0 && update <= at_most_ - count_,
                   "a semaphore is released by 0 or more units, and holds no more than its greatest value");
      for (waiter* oldest; update != 0 && (oldest = waiters_.pop()) != nullptr; --update) next.add(*oldest);
      count_ += update;
    }
    next.deliver();
  }

  const char* kind() const noexcept override { return "a semaphore"; }

 private:
  std::ptrdiff_t count_;
  const std::ptrdiff_t at_most_;
};

extern template class basic_semaphore<rules>;
using semaphore = basic_semaphore<>;

}  // namespace TEFF_NAMESPACE::sync
