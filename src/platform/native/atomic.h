// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/order.h"
#include "platform/sanitizers.h"

#include <atomic>
#include <cstdint>

namespace TEFF_NAMESPACE::platform {

template <class T>
class atomic {
 public:
  constexpr atomic(T initial = T{}) noexcept : value_(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order o) const noexcept { return value_.load(o); }
  void store(T desired, order o) noexcept { value_.store(desired, o); }
  T exchange(T desired, order o) noexcept { return value_.exchange(desired, o); }
  /// Strong. On failure `expected` holds the value that was found, read with the order of a load that fits `o`.
  bool compare_exchange(T& expected, T desired, order o) noexcept { return value_.compare_exchange_strong(expected, desired, o); }
  T fetch_add(T operand, order o) noexcept { return value_.fetch_add(operand, o); }
  T fetch_sub(T operand, order o) noexcept { return value_.fetch_sub(operand, o); }
  T fetch_or(T operand, order o) noexcept { return value_.fetch_or(operand, o); }
  /// Effect: adds, as a load and a store with that order. Pre: nobody else writes. Cost: one instruction, which compilers do not
  /// make of the two.
  [[gnu::always_inline]] void add_alone(T operand, order o) noexcept {
#if defined(__x86_64__) && !defined(TEFF_THREAD_SANITIZER)
    static_assert(sizeof(T) == 8);
    asm volatile("addq %1, %0" : "+m"(value_) : "er"(operand) : "cc", "memory");
    (void)o;
#else
    value_.store(value_.load(std::memory_order_relaxed) + operand, o);  // relaxed: it reads what it wrote itself
#endif
  }

  /// Relaxed loads that are compared in one instruction, which compilers do not make of the two. Whether it holds that value;
  /// whether the lower half of `minuend`, less its own, is not negative, as a signed number.
  [[gnu::always_inline]] bool holds(T value) const noexcept {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if defined(__x86_64__) && !defined(TEFF_THREAD_SANITIZER)
    bool equal;
    if constexpr (sizeof(T) == 4) asm volatile("cmpl %2, %1" : "=@cce"(equal) : "m"(value_), "re"(value));
    else asm volatile("cmpq %2, %1" : "=@cce"(equal) : "m"(value_), "re"(value));
    return equal;
#else
    return load(relaxed) == value;
#endif
  }
  [[gnu::always_inline]] bool lower_half_is_at_most(std::uint64_t minuend) const noexcept {
    static_assert(sizeof(T) == 8);
#if defined(__x86_64__) && !defined(TEFF_THREAD_SANITIZER)
    bool not_negative;
    asm volatile("cmpl %1, %k2" : "=@ccns"(not_negative) : "m"(value_), "r"(minuend));
    return not_negative;
#else
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(minuend) - static_cast<std::uint32_t>(load(relaxed))) >= 0;
#endif
  }

  /// Returns: `chosen` if it is, else `other`, without a branch.
  [[gnu::always_inline]] const void* if_lower_half_is_at_most(std::uint64_t minuend, const void* chosen,
                                                              const void* other) const noexcept {
    static_assert(sizeof(T) == 8);
#if defined(__x86_64__) && !defined(TEFF_THREAD_SANITIZER)
    asm volatile("cmpl %1, %k2\n\tcmovs %3, %0" : "+r"(chosen) : "m"(value_), "r"(minuend), "r"(other) : "cc");
    return chosen;
#else
    return lower_half_is_at_most(minuend) ? chosen : other;
#endif
  }

  /// The address that the kernel's futex waits on.
  void* address() const noexcept { return const_cast<std::atomic<T>*>(&value_); }

  static_assert(std::atomic<T>::is_always_lock_free);

 private:
  std::atomic<T> value_;
};

/// A number that one thread writes and any thread may read for information: it orders nothing and costs what a plain variable
/// costs (relaxed: statistics). It is no scheduling point in simulation.
class statistic {
 public:
  void add(std::uint64_t amount) noexcept {
#if defined(__x86_64__)
    // One instruction, as in atomic::add_alone.
    asm("addq %1, %0" : "+m"(value_) : "er"(amount) : "cc");
#else
    set(value() + amount);
#endif
  }
  void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }  // relaxed: statistics
  void clear() noexcept { set(0); }
  std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }  // relaxed: statistics

 private:
  std::atomic<std::uint64_t> value_{0};
};

void fence_slow() noexcept;

/// Keeps the compiler from moving loads and stores over it, for a thread whose peer calls fence_everywhere: that one is the fence
/// for the processors of both.
inline void fence_of_compiler() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }
/// Effect: every thread of this process passes a fence, wherever it is. Returns: false if the kernel cannot. Cost: about 10 µs.
bool fence_everywhere() noexcept;

/// A standalone fence. g++ 12's ThreadSanitizer does not know fences, so there it is a read-modify-write on one shared word.
inline void fence(order o) noexcept {
#if defined(__SANITIZE_THREAD__)
  (void)o;
  fence_slow();
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  (void)o;
  fence_slow();
#else
  std::atomic_thread_fence(o);
#endif
#else
  std::atomic_thread_fence(o);
#endif
}

}  // namespace TEFF_NAMESPACE::platform
