// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How every object of this folder lets tasks and foreign threads wait, in the order in which they came.
#pragma once

#include "base/assert.h"
#include "fiber/fiber.h"
#include "platform/ends.h"
#include "platform/platform.h"
#include "sync/rules.h"
#include "task/context.h"
#include "task/frame.h"
#include "task/worker.h"

#include <cstdint>

namespace TEFF_NAMESPACE::sync {

/// What a waiter does before it is set aside.
enum class wait_policy : std::uint8_t {
  block,            ///< nothing: its worker does other work at once
  spin,             ///< looks again and again until the wait is over, or its deadline has passed; its worker does nothing else
  spin_then_block,  ///< looks for about as long as being set aside takes, then blocks
};

/// What objects do that were given no policy of their own. Threads: any, before objects are made.
wait_policy default_policy();
void set_default_policy(wait_policy policy);

/// Who runs: a task or a foreign thread.
using identity = task_identity;

/// Marks an identity as a foreign thread's; frames are aligned.
inline constexpr std::uintptr_t foreign_mark = 1;

inline identity this_identity() {
  if (auto* current = static_cast<worker*>(platform::current()); current != nullptr && current->here != nullptr) [[likely]] {
    return current->here->identity();
  }
  return reinterpret_cast<identity>(reinterpret_cast<std::uintptr_t>(platform::this_thread()) | foreign_mark);
}
/// Returns: the frame of a task, in which another one may run by now; nullptr for a foreign thread, and for nobody.
const task_frame* task_of(identity who);

/// Whether it is a foreign thread's.
inline bool is_foreign(identity who) { return (reinterpret_cast<std::uintptr_t>(who) & foreign_mark) != 0; }

/// Deadlines are times of platform::now_ns. One that has passed means: do not wait.
inline constexpr std::uint64_t no_deadline = ~std::uint64_t{0}, has_passed = 0;

/// One that waits; lies on its own stack.
///
/// | field          | written by                              | read by                                   |
/// |----------------|-----------------------------------------|-------------------------------------------|
/// | next, before   | under the object's lock; wake_ups       | the same                                  |
/// | ended          | who ends the wait, under the lock       | the same; who would end it too            |
/// | word           | who ends the wait, without the lock     | the waiter                                |
/// | fiber          | the waiter, under the lock, to sleep    | who ends the wait                         |
/// | who, tag, value| the waiter, before it is in the list    | the object, under the lock                |
/// | result         | who ends the wait, under the lock       | the waiter, afterwards                    |
struct waiter {
  enum : std::uint32_t { waiting, woken, timed_out };

  waiter* next = nullptr;
  waiter* before = nullptr;
  platform::atomic<std::uint32_t> word{waiting};
  std::uint32_t ended = waiting;   ///< what `word` will be
  fibers::fiber* fiber = nullptr;  ///< that sleeps; nullptr: a foreign thread, or a task that spins
  identity who = nullptr;
  unsigned tag = 0;       ///< the object's own: what is waited for
  unsigned result = 0;    ///< the object's own: what came
  void* value = nullptr;  ///< the object's own: what is handed over
};

/// Waiters in the order in which they came. Under the lock of its object.
class wait_list {
 public:
  bool empty() const { return first_ == nullptr; }
  waiter* first() const { return first_; }
  void push(waiter& last);
  void remove(waiter& gone);
  /// Returns: nullptr if nobody waits.
  waiter* pop();

 private:
  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

/// Those whose wait has ended, until the object's lock is free: only then are they told, since the object may be gone once one of
/// them goes on.
class wake_ups {
 public:
  /// Pre: `ended` has just been taken out of its list, under the lock.
  void add(waiter& ended, std::uint32_t how = waiter::woken);
  /// Effect: lets them go on, in the order in which they were added. Pre: the lock is free. Touches: nothing of the object.
  void deliver();

 private:
  wait_list ended_;
};

/// Effect: waits until `self` was added to a wake_ups and that was delivered, or until the deadline: then `self` is taken out of
/// the list. The lock is free on return. Pre: the caller holds the lock, and `self` is in the list. Returns: false if the
/// deadline passed first. Touches: nothing of the object once the wait has been ended by another. Blocks: the fiber; a foreign
/// thread.
bool wait(const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self, wait_policy policy,
          std::uint64_t deadline_ns = no_deadline);

/// What the objects of this folder consist of: a state of their own, a lock around it, and a list of those that wait.
///
/// No wake-up is lost because of one rule: the look at the state that says "wait" and the entry into the list happen under one
/// holding of the lock, and so do each change of the state and the removal of those that it lets go. So either the change comes
/// first, and the look sees it; or the entry comes first, and the change finds it. What a header adds beside its code is why its
/// changes let go everyone who can go.
class object : public fibers::awaited {
 public:
  explicit object(wait_policy policy) : policy_(policy) {}
  object(const object&) = delete;
  object& operator=(const object&) = delete;
  /// Whoever has found that nobody needs the object any more may destroy it, although the one that let it go, as the owner before
  /// did with a mutex, is still about to give the lock back: this waits for that.
  virtual ~object() {
    const platform::lock_guard guard(lock_);
    if (!waiters_.empty()) [[unlikely]]
      leave_waiters();
  }

  /// Effect: the team's waiters are taken out of the list, before their stacks go.
  void forget(const fibers::host& ending) const noexcept final;

 protected:
  /// Effect: as wait, last in the list. Pre: the lock is held; it is free afterwards.
  template <class Rules>
  bool wait_here(waiter& self, std::uint64_t deadline_ns = no_deadline) TEFF_RELEASE(lock_) TEFF_NOT_ANALYSED {
    if constexpr (!Rules::queues_where_it_looked) {
      lock_.release();
      lock_.acquire();
    }
    self.who = this_identity();
    waiters_.push(self);
    return wait(*this, lock_, waiters_, self, policy_, deadline_ns);
  }
  /// Effect: ends everybody's wait. Pre: the lock is held.
  void release_all(wake_ups& next) TEFF_REQUIRES(lock_) {
    while (waiter* each = waiters_.pop()) next.add(*each);
  }
  /// Whether who holds this may be a task that waits for ever since its run could not end.
  static bool may_be_left(identity holder) { return task_of(holder) != nullptr && fibers::host::any_was_stuck(); }

  mutable platform::lock lock_{
      platform::lock_kind::brief,
      lock_label::of(guarded::program_object)};  ///< around a few instructions, and over the switch of a fiber that is set aside
  mutable wait_list waiters_;
  const wait_policy policy_;

 private:
  void leave_waiters() TEFF_REQUIRES(lock_);
};

}  // namespace TEFF_NAMESPACE::sync
