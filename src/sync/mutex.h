// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// Mutual exclusion for tasks and foreign threads: who finds it held is set aside, and its worker does other work.
///
/// Idea: one word: free, held, or held while others wait. Who unlocks a contended one hands it to the one that has waited
///   longest, so nobody overtakes.
/// Invariants: `owner_` is written by the owner; nobody while the mutex is on its way from one to the next, so that nobody
///   takes a task for its own holder. The list is not empty only if the word is `contended`. No wake-up is lost: a waiter
///   makes the word `contended`, and then enters the list, under one holding of the lock. An unlock either comes before (and
///   the waiter finds the word free), or finds `contended` and takes the lock after the waiter has entered. [owner] relaxed:
///   who compares it with itself sees what it wrote itself; to reports it is a hint.
/// Cost: uncontended lock and unlock: one compare-and-swap each. Hand-over: the list's lock, and what making a fiber ready costs.
/// Considered: letting those who come later overtake a waiter that is on its way: more throughput at a contended mutex, but a
/// waiter may starve.
template <class Rules = rules>
class basic_mutex : public object {
 public:
  explicit basic_mutex(wait_policy policy = default_policy()) : object(policy) {}
  /// Pre: nobody holds it, but for tasks of a run that could not end, or at the end of the process: else the program ends with a
  /// sentence.
  ~basic_mutex() override {
    // [mutex] acquire: the last owner is done with it. relaxed: nobody else uses it any more.
    TEFF_REQUIRE(word_.load(platform::acquire) == free || may_be_left(owner_.load(platform::relaxed)) ||
                     platform::is_static(this),
                 "a mutex must not be destroyed while it is held: unlock it first");
  }

  /// Effect: returns when the caller holds it. Pre: the caller does not hold it: a task that locks twice waits for itself, which
  ///   the hang report says. Threads: tasks and foreign threads. Blocks: the fiber. Fair: first come, first served.
  void lock() {
    if (!try_lock()) lock_slow(no_deadline);
  }
  /// Returns: whether the caller holds it now. Blocks: never.
  [[nodiscard]] bool try_lock() {
    std::uint32_t expected = free;
    if (word_.load(platform::relaxed) != free) return false;  // relaxed: a hint, that spares the exchange
    // [mutex] acquire: what the last owner wrote before its release is visible.
    if (!word_.compare_exchange(expected, held, platform::acquire)) return false;
    owner_.store(this_identity(), platform::relaxed);
    return true;
  }
  /// Returns: false if the deadline (of platform::now_ns) passed first.
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return try_lock() || lock_slow(deadline_ns); }
  /// Pre: the caller holds it: else the program ends with a sentence (a task that ran on the same stack before is not the caller,
  /// but for each 65,536th).
  void unlock() {
    if (owner_.load(platform::relaxed) != this_identity()) [[unlikely]]
      refuse_unlock();
    owner_.store(nullptr, platform::relaxed);  // [owner]
    std::uint32_t expected = held;
    // [mutex] release.
    if (word_.load(platform::relaxed) == contended || !word_.compare_exchange(expected, free, platform::release)) unlock_slow();
  }

  bool is_held_by_caller() const { return owner_.load(platform::relaxed) == this_identity(); }

  const char* kind() const noexcept override { return "a mutex"; }
  const task_frame* holder() const noexcept override { return task_of(owner_.load(platform::relaxed)); }  // [owner]
  bool held_outside() const noexcept override { return is_foreign(owner_.load(platform::relaxed)); }  // [owner]

 protected:
  [[noreturn, gnu::cold]] void refuse_unlock() const {
    std::fprintf(stderr, "teff: %s is unlocked by the task or thread that locked it, once\n", kind());
    std::abort();
  }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;

  [[gnu::noinline]] bool lock_slow(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED;
  [[gnu::noinline]] void unlock_slow();

  platform::atomic<std::uint32_t> word_{free};
  platform::atomic<identity> owner_{nullptr};
};

template <class Rules>
bool basic_mutex<Rules>::lock_slow(std::uint64_t deadline_ns) {
  lock_.acquire();
  // From free to held, or from held to contended: the word changes under the list's lock, but for a free one and by its owner.
  for (std::uint32_t found = word_.load(platform::relaxed); found != contended;) {
    const std::uint32_t wanted = found == free || !Rules::marks_contended ? held : contended;
    const bool was_free = found == free;
    if (!word_.compare_exchange(found, wanted, platform::acquire)) continue;
    if (!was_free) break;
    owner_.store(this_identity(), platform::relaxed);  // [owner]
    lock_.release();
    return true;
  }
  waiter self;
  const bool got = wait_here<Rules>(self, deadline_ns);
  if (!got || (!Rules::keeps_what_came_late && platform::now_ns() >= deadline_ns)) return false;
  owner_.store(self.who, platform::relaxed);  // [owner]
  return true;
}

template <class Rules>
void basic_mutex<Rules>::unlock_slow() {
  wake_ups next;
  {
    platform::lock_guard guard(lock_);
    waiter* oldest = waiters_.pop();
    if (oldest == nullptr) {
      // Those who waited gave up at their deadlines, or were served. Only now is it no longer contended: a mutex that is passed
      // to and fro stays so.
      word_.store(free, platform::release);  // [mutex]
      return;
    }
    next.add(*oldest);  // [mutex] by [wait]: what this owner wrote is visible to the next
  }
  next.deliver();
}

/// A mutex that its owner may lock again; it is free when it was unlocked as often.
///
/// Invariants: `again_` belongs to the owner. Cost: as mutex; locking again: no atomic operation. Fair: as mutex.
template <class Rules = rules>
class basic_recursive_mutex : public basic_mutex<Rules> {
  using base = basic_mutex<Rules>;

 public:
  using base::base;

  void lock() {
    if (!lock_again()) base::lock();
  }
  [[nodiscard]] bool try_lock() { return lock_again() || base::try_lock(); }
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return lock_again() || base::try_lock_until(deadline_ns); }
  void unlock() {
    if (!base::is_held_by_caller()) [[unlikely]]
      base::refuse_unlock();
    if (Rules::counts_depth && again_ != 0) --again_;
    else base::unlock();
  }

  const char* kind() const noexcept override { return "a recursive mutex"; }

 private:
  bool lock_again() {
    if (!base::is_held_by_caller()) return false;
    ++again_;
    return true;
  }

  std::uint64_t again_ = 0;  ///< how often its owner locked it beyond the first time
};

extern template class basic_mutex<rules>;
extern template class basic_recursive_mutex<rules>;
using mutex = basic_mutex<>;
using recursive_mutex = basic_recursive_mutex<>;

}  // namespace TEFF_NAMESPACE::sync
