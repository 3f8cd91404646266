// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// Where those wait for whom a condition does not hold yet; with any lock of the caller's.
///
/// No wake-up is lost: the waiter is in the list before it unlocks, and who changes the condition does so under the caller's
/// lock. So a notify after the change finds the waiter. The list's lock is held while the caller's is unlocked: nobody notifies
/// in between.
/// Fair: notify_one ends the longest wait. No wait ends without a notify or its deadline.
/// Cost: wait: the list's lock, and being set aside. A notify that finds nobody: the list's lock.
/// Considered: to move a notified waiter to the mutex's list, if its owner still holds it: saves a switch there, but ties the two
/// types together.
template <class Rules = rules>
class basic_condition : public object {
 public:
  explicit basic_condition(wait_policy policy = default_policy()) : object(policy) {}

  /// Effect: unlocks `held`, waits, and locks it again. Pre: the caller holds it. Returns: false if the deadline (of
  /// platform::now_ns) passed before a notify. Errors: what escapes from `held`'s unlock, before any wait, or from its lock.
  /// Threads: tasks and foreign threads. Blocks: the fiber.
  template <class Lock>
  bool wait_until_ns(Lock& held, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    if (!Rules::queues_before_unlocking) held.unlock();
    lock_.acquire();
    waiter self;
    self.who = this_identity();
    waiters_.push(self);
    if (Rules::queues_before_unlocking) unlock_or_leave(held, self);
    const bool notified = sync::wait(*this, lock_, waiters_, self, policy_, deadline_ns);
    held.lock();
    return notified;
  }

  /// Effect: ends the longest wait, or all. Blocks: never.
  void notify_one() noexcept { notify(false); }
  void notify_all() noexcept { notify(true); }

  const char* kind() const noexcept override { return "a condition"; }

 private:
  /// Effect: unlocks; if that throws, as a std::unique_lock's does which holds nothing, `self` does not wait. Pre: the list's
  /// lock is held.
  template <class Lock>
  void unlock_or_leave(Lock& held, waiter& self) TEFF_NOT_ANALYSED {
    try {
      held.unlock();
    } catch (...) {
      waiters_.remove(self);
      lock_.release();
      throw;
    }
  }

  void notify(bool all) {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      if (all) release_all(next);
      else if (waiter* oldest = waiters_.pop()) next.add(*oldest);
    }
    next.deliver();
  }
};

extern template class basic_condition<rules>;
using condition = basic_condition<>;

}  // namespace TEFF_NAMESPACE::sync
