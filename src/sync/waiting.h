// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How every object of this folder lets tasks and foreign threads wait, in the order in which they came.
#pragma once

#include "fiber/fiber.h"
#include "platform/platform.h"
#include "task/frame.h"

#include <cstdint>

namespace teff::inline TEFF_PLATFORM::sync {

/// What a waiter does before it is set aside.
enum class wait_policy : std::uint8_t {
  block,            ///< nothing: its worker does other work at once
  spin,             ///< looks again and again until the wait is over; its worker does nothing else
  spin_then_block,  ///< looks for about as long as being set aside takes, then blocks
};

/// What objects do that were given no policy of their own. Threads: any, before objects are made.
wait_policy default_policy();
void set_default_policy(wait_policy policy);

/// Who runs: a task, by its frame, or a foreign thread.
using identity = const void*;
identity this_identity();
/// Returns: the task of an identity; nullptr for a foreign thread, and for nobody.
const task_frame* task_of(identity who);

inline constexpr std::uint64_t no_deadline = ~std::uint64_t{0};

/// One that waits; lies on its own stack.
///
/// | field          | written by                              | read by                                   |
/// |----------------|-----------------------------------------|-------------------------------------------|
/// | next, before   | under the object's lock                 | the same                                  |
/// | word           | who ends the wait, under the lock       | the waiter                                |
/// | fiber          | the waiter, under the lock, to sleep    | who ends the wait, under the lock         |
/// | tag, value     | the waiter, before it is in the list    | the object, under the lock                |
struct waiter {
  enum : std::uint32_t { waiting, woken, timed_out };

  waiter* next = nullptr;
  waiter* before = nullptr;
  platform::atomic<std::uint32_t> word{waiting};
  fibers::fiber* fiber = nullptr;  ///< that sleeps; nullptr: a foreign thread, or a task that spins
  identity who = nullptr;
  unsigned tag = 0;       ///< the object's own: what is waited for
  void* value = nullptr;  ///< the object's own: what is handed over
};

/// What is left to do for a waiter whose wait has ended, once the object's lock is free.
class wake_up {
 public:
  wake_up() = default;
  /// Pre: `ended` has just been taken out of its list, under the lock. Effect: its wait is over.
  explicit wake_up(waiter& ended, std::uint32_t how = waiter::woken);
  void deliver() const;

 private:
  fibers::fiber* fiber_ = nullptr;
  platform::atomic<std::uint32_t>* word_ = nullptr;
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

/// Effect: waits until somebody makes a wake_up of `self`, or until the deadline: then `self` is taken out of the list. The lock is free on
/// return. Pre: the caller holds the lock, and `self` is in the list. Returns: false if the deadline passed first.
/// Blocks: the fiber; a foreign thread.
bool wait(const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self, wait_policy policy,
          std::uint64_t deadline_ns = no_deadline);

}  // namespace teff::inline TEFF_PLATFORM::sync
