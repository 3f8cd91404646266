// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace teff::inline TEFF_PLATFORM::sync {

/// Mutual exclusion for tasks and foreign threads: who finds it held is set aside, and its worker does other work.
///
/// Idea: one word: free, held, or held while others wait. Who unlocks a contended one hands it to the one that has waited longest, so nobody overtakes.
/// Invariants: `owner_` is written by the owner, or by who hands over, before the new owner goes on. The list is not empty only if the word is
///   `contended`.
/// Cost: uncontended lock and unlock: one compare-and-swap each. Hand-over: the list's lock, and what making a fiber ready costs.
/// Considered: letting those who come later overtake a waiter that is on its way: more throughput at a contended mutex, but a waiter may starve.
class mutex final : public fibers::awaited {
 public:
  explicit mutex(wait_policy policy = default_policy()) : policy_(policy) {}
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  /// Pre: nobody holds it: else the program ends with a sentence.
  ~mutex();

  /// Effect: returns when the caller holds it. Pre: the caller does not hold it: a task that locks twice waits for itself, which the
  ///   hang report says. Threads: tasks and foreign threads. Blocks: the fiber. Fair: first come, first served.
  void lock() {
    if (!try_lock()) lock_slow(no_deadline);
  }
  [[nodiscard]] bool try_lock() {
    std::uint32_t expected = free;
    // [mutex] acquire: what the last owner wrote before its release is visible.
    if (!word_.compare_exchange(expected, held, platform::acquire)) return false;
    owner_.store(this_identity(), platform::relaxed);
    return true;
  }
  /// Returns: false if the deadline (of platform::now_ns) passed first.
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return try_lock() || lock_slow(deadline_ns); }
  /// Pre: the caller holds it: else the program ends with a sentence.
  void unlock() {
    if (owner_.load(platform::relaxed) != this_identity()) [[unlikely]]
      refuse_unlock();
    owner_.store(nullptr, platform::relaxed);
    std::uint32_t expected = held;
    // [mutex] release.
    if (!word_.compare_exchange(expected, free, platform::release)) unlock_slow();
  }

  bool is_held_by_caller() const { return owner_.load(platform::relaxed) == this_identity(); }

  const char* kind() const noexcept override { return "a mutex"; }
  const task_frame* holder() const noexcept override { return task_of(owner_.load(platform::relaxed)); }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;

  bool lock_slow(std::uint64_t deadline_ns);
  void unlock_slow();
  [[noreturn]] void refuse_unlock() const;

  platform::atomic<std::uint32_t> word_{free};
  const wait_policy policy_;
  platform::atomic<identity> owner_{nullptr};
  platform::lock lock_;
  wait_list waiters_;
};

}  // namespace teff::inline TEFF_PLATFORM::sync
