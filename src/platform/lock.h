// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Locks over the atomics and the parking of either side.
#pragma once

#include "platform/thread_safety.h"
#include "platform/tuning.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// What a lock does while another thread holds it.
enum class lock_kind : std::uint8_t {
  mutex,  ///< spins briefly, then parks (the native mutex)
  spin,   ///< spins until it is free, whatever happens to the holder
  brief,  ///< spins briefly, then naps and looks again: for sections so short that who meets the holder met one that lost its
          ///< processor
};

/// Mutual exclusion, not recursive, not fair.
///
/// Idea: one word: free, held, or held with parked waiters. A waiter that is about to park first makes the word contended,
/// so that the holder's unlock sees that somebody must be woken.
/// Cost: uncontended lock: one compare-and-swap; unlock: one exchange (mutex) or one store (spin, brief).
/// Considered: std::mutex beside a spin lock as two types: every locked queue would be compiled twice for a difference that
/// only the slow path knows.
class TEFF_CAPABILITY("lock") lock {
 public:
  explicit lock(lock_kind kind = lock_kind::mutex, lock_label label = {}) : kind_(kind), label_(label) { lock_watch::made(this); }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;

  void acquire() TEFF_ACQUIRE() {
    if (try_acquire()) return;
    {
      const lock_wait waiting(this, label_);
      acquire_slow();
    }
    waits_.add(1);
  }

  [[nodiscard]] bool try_acquire() TEFF_TRY_ACQUIRE(true) {
    std::uint32_t expected = free;
    {
      const lock_access access(this, label_);
      // [lock] acquire: what the last holder wrote before its release is visible.
      if (!word_.compare_exchange(expected, held, platform::acquire)) return false;
    }
    watch_.took(this, label_);
    return true;
  }

  void release() TEFF_RELEASE() {
    watch_.frees(this, label_);
    const lock_label label = label_;  // the lock may be gone once it is free
    const bool wakes = let_go(label);
    lock_watch::left(this);
    if (wakes) wake_waiter(label);
  }

  /// Effect: the time account calls the lock so. Pre: nobody uses it.
  void name(lock_label label) { label_ = label; }

  /// How often acquire found the lock taken. Exact while nobody uses the lock.
  std::uint64_t waits() const { return waits_.value(); }
  /// Pre: nobody uses the lock.
  void reset_waits() { waits_.clear(); }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;

  /// Returns: whether somebody may be parked.
  [[gnu::always_inline]] bool let_go([[maybe_unused]] lock_label label) {
    const lock_access access(this, label);
    // [lock] release: pairs with the acquire of the next holder.
    if (kind_ == lock_kind::mutex) return word_.exchange(free, platform::release) == contended;
    word_.store(free, platform::release);  // nobody waits to be woken
    return false;
  }

  /// Waking who waits is a part of waiting: it takes time because the lock was taken. Touches: of the lock only the address.
  [[gnu::noinline]] void wake_waiter(lock_label label) {
    const lock_wait waiting(this, label, false);
    wake_one(word_);
  }

  /// Not analysed: the analysis cannot see that leaving the last loop takes the lock.
  void acquire_slow() TEFF_ACQUIRE() TEFF_NOT_ANALYSED {
    const auto is_free = [](std::uint32_t word) { return word == free; };
    if (kind_ == lock_kind::spin) {
      if (spin_until_for(word_, is_free, tuning::lock_spin_rounds, "a spin lock") && try_acquire()) return;
      look_for_lost_holder();
      do spin_until(word_, is_free, "a spin lock");
      while (!try_acquire());
      return;
    }
    if (kind_ == lock_kind::brief) {
      while (!spin_until_for(word_, is_free, tuning::lock_spin_rounds, "a brief lock") || !try_acquire()) {
        look_for_lost_holder();
        park_until(word_, held, now_ns() + time_of_rounds_ns(tuning::lock_nap_rounds), "a brief lock");
      }
      return;
    }
    if (spin_until_for(word_, is_free, tuning::lock_spin_rounds, "a lock") && try_acquire()) return;
    look_for_lost_holder();
    // From here on this thread may be parked, so whenever it takes the lock it leaves it contended: an extra wake-up at
    // its release is the price for never losing one.
    while (word_.exchange(contended, platform::acquire) != free) park(word_, contended, "a lock");
    watch_.took(this, label_);
  }

  /// Effect: ends a process that would wait for a thread of its parent. Relaxed: a lock whose holder is here, and that is not
  /// free yet, has more threads than this one.
  void look_for_lost_holder() const {
    if (const end_of_process end = about_to_wait_for_lock(); end != nullptr && word_.load(platform::relaxed) != free) end();
  }

  atomic<std::uint32_t> word_{free};
  const lock_kind kind_;
  lock_watch watch_;  // the holder's
  lock_label label_;
  statistic waits_;  // written by the holder
};

/// Says that the lock is held already.
struct adopt_t {};
inline constexpr adopt_t adopt;

/// Holds a lock for a scope.
class TEFF_SCOPED_CAPABILITY lock_guard {
 public:
  explicit lock_guard(lock& held) TEFF_ACQUIRE(held) : held_(held) { held_.acquire(); }
  lock_guard(lock& held, adopt_t) TEFF_REQUIRES(held) : held_(held) {}
  ~lock_guard() TEFF_RELEASE() { held_.release(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  lock& held_;
};

/// Mutual exclusion, not recursive, first come, first served.
///
/// Source: Mellor-Crummey & Scott 1991, the list-based queue lock (MCS). Differs: who has spun for a while parks.
/// Idea: a line of places, each of which one waiter looks at; who leaves hands the lock to the next place.
/// Invariants: last_ is the place of who came last, nullptr while the lock is free. A place's owner alone is in line with it.
/// Cost: uncontended lock: one exchange; unlock: one compare-and-swap. Contended: a line is fetched per hand-over, however many
/// wait. Bad for: more threads than processors: whoever is next may have none, and those behind it wait for that. Considered: a
/// ticket and a number that is served: all waiters look at one line, and none could park.
class TEFF_CAPABILITY("lock") fifo_lock {
 public:
  /// A thread's place in the line. Pre: from acquire to the end of release it is in use for one lock.
  class place {
    friend class fifo_lock;
    atomic<place*> behind_{nullptr};
    atomic<std::uint32_t> word_{0};
  };

  fifo_lock() { lock_watch::made(this); }
  fifo_lock(const fifo_lock&) = delete;
  fifo_lock& operator=(const fifo_lock&) = delete;

  void acquire(place& own) TEFF_ACQUIRE() TEFF_NOT_ANALYSED {
    // relaxed: nobody sees the place before the exchange.
    own.behind_.store(nullptr, platform::relaxed);
    own.word_.store(in_line, platform::relaxed);  // relaxed: likewise
    place* before = nullptr;
    {
      const lock_access access(this, label_);
      // [line] acq_rel: what the last holder wrote is visible if it has left, and the place is to whoever comes next.
      before = last_.exchange(&own, platform::acq_rel);
    }
    if (before != nullptr) await_turn(own, *before);
    watch_.took(this, label_);
  }

  void release(place& own) TEFF_RELEASE() TEFF_NOT_ANALYSED {
    watch_.frees(this, label_);
    // [next] acquire: pairs with who came behind.
    place* next = own.behind_.load(platform::acquire);
    if (next == nullptr) {
      if (is_left_alone(&own)) return lock_watch::left(this);
      spin_until(own.behind_, [](const place* behind) { return behind != nullptr; }, "who comes behind in the line of a lock");
      next = own.behind_.load(platform::acquire);
    }
    // [hand] release: pairs with the waiter's acquire. From here on its place may be gone: a wake-up at the address harms nobody.
    atomic<std::uint32_t>& word = next->word_;
    if (word.exchange(handed_over, platform::release) == asleep) {
      const account_scope waiting(account_part::lock_wait);
      wake_one(word);
    }
  }

  /// Effect: the time account calls the lock so. Pre: nobody uses it.
  void name(lock_label label) { label_ = label; }

  /// How often acquire found the lock taken. Exact while nobody uses the lock.
  std::uint64_t waits() const { return waits_.value(); }
  /// Pre: nobody uses the lock.
  void reset_waits() { waits_.clear(); }

 private:
  static constexpr std::uint32_t in_line = 0, asleep = 1, handed_over = 2;

  /// Returns: whether nobody is behind the place: then the lock is free, and may be gone.
  bool is_left_alone(place* own) {
    const lock_access access(this, label_);
    // [line] release: pairs with the next one's exchange.
    return last_.compare_exchange(own, nullptr, platform::release);
  }

  void await_turn(place& own, place& before) {
    const lock_wait waiting(this, label_);
    before.behind_.store(&own, platform::release);  // [next]
    const auto has_it = [](std::uint32_t word) { return word == handed_over; };
    const char* const what = "a lock of first come, first served";
    if (!spin_until_for(own.word_, has_it, tuning::line_spin_rounds, what)) {
      // relaxed: as look_for_lost_holder.
      if (const end_of_process end = about_to_wait_for_lock(); end != nullptr && own.word_.load(platform::relaxed) == in_line)
        end();
      std::uint32_t expected = in_line;
      // [hand] acquire: what the one before wrote under the lock is visible.
      if (own.word_.compare_exchange(expected, asleep, platform::acquire)) {
        while (own.word_.load(platform::acquire) == asleep) park(own.word_, asleep, what);
      }
    }
    waits_.add(1);
  }

  atomic<place*> last_{nullptr};
  lock_watch watch_;  // the holder's
  lock_label label_;
  statistic waits_;  // written by the holder
};

}  // namespace TEFF_NAMESPACE::platform
