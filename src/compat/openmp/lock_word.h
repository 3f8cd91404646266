// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compat/openmp/sites.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// A lock of 32 bits that is free when they are 0, so that it may lie in the program's memory, and needs no constructor at the
/// start of the process. As platform::lock of kind `mutex`, but that who waits looks at it ever more seldom: programs hold it
/// again and again, for a few instructions.
class lock_word {
 public:
  constexpr lock_word() = default;

  /// Effect: who has to wait shares its private tasks first, if it is a member of a team.
  void acquire() {
    if (!try_acquire()) acquire_slowly({});
  }
  /// The same for a function that the program calls: a wait is counted for the place of that call. Inlined into it, or else the
  /// place is another one; and who need not wait does not ask for it.
  [[gnu::always_inline]] void acquire_for_program(wait_kind kind) {
    if (try_acquire()) return;
    const void* caller = __builtin_return_address(0);
    asm volatile("" : "+r"(caller), "+r"(kind));
    acquire_slowly({caller, kind});
  }
  bool try_acquire() {
    std::uint32_t expected = free;
    return word_.compare_exchange(expected, held, platform::acquire);  // [lock]
  }
  void release() {
    if (word_.exchange(free, platform::release) == contended) wake_waiter();  // [lock]
  }
  void reset() { word_.store(free, platform::release); }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;
  void acquire_slowly(wait_place where);
  void wake_waiter();

  platform::atomic<std::uint32_t> word_;  ///< [lock] acquire: what the last holder wrote before its release is visible
};
static_assert(sizeof(lock_word) == 4);

/// Holds such a lock for a scope.
class lock_word_guard {
 public:
  explicit lock_word_guard(lock_word& held) : held_(held) { held_.acquire(); }
  ~lock_word_guard() { held_.release(); }
  lock_word_guard(const lock_word_guard&) = delete;
  lock_word_guard& operator=(const lock_word_guard&) = delete;

 private:
  lock_word& held_;
};

}  // namespace TEFF_NAMESPACE::openmp
