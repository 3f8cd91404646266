// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// Something that has happened or not; stays so until it is reset.
///
/// No wake-up is lost: it is looked at, and set, under the lock; set lets all go who wait then, also if it is reset at once.
/// Cost: the object's lock, which is two read-modify-writes.
template <class Rules = rules>
class basic_event : public object {
 public:
  explicit basic_event(bool set = false, wait_policy policy = default_policy()) : object(policy), set_(set) {}

  /// Effect: all who wait go on, and nobody waits until reset. Threads: tasks and foreign threads. Blocks: never.
  void set() {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      set_ = true;
      release_all(next);
    }
    next.deliver();
  }
  void reset() {
    platform::lock_guard guard(lock_);
    set_ = false;
  }
  bool is_set() {
    platform::lock_guard guard(lock_);
    return set_;
  }

  /// Effect: returns when it is set. Blocks: the fiber. Fair: all go on together.
  void wait() { wait_until(no_deadline); }
  /// Returns: false if the deadline (of platform::now_ns) passed first.
  bool wait_until(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    const bool now = set_;
    if (now || deadline_ns == has_passed) {
      lock_.release();
      return now;
    }
    waiter self;
    return wait_here<Rules>(self, deadline_ns);
  }

  const char* kind() const noexcept override { return "an event"; }

 private:
  bool set_;
};

extern template class basic_event<rules>;
using event = basic_event<>;

}  // namespace TEFF_NAMESPACE::sync
