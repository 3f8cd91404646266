// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the files that gcc's calls come to share.
#pragma once

#include "compat/openmp/team.h"

/// Begins a function of libgomp's interface.
#define TEFF_ENTRY extern "C" [[gnu::visibility("default")]]
/// What has no arguments is the same for gfortran, under a name of its own.
#define TEFF_FORTRAN(type, name) TEFF_ENTRY [[gnu::nothrow, gnu::alias(#name)]] type name##_()

namespace teff::inline TEFF_PLATFORM::openmp {

/// A lock of 32 bits that is free when they are 0: it lies in the program's memory. As platform::lock of kind `mutex`.
class lock_word {
 public:
  void acquire() {
    if (!try_acquire()) acquire_slowly();
  }
  bool try_acquire() {
    std::uint32_t expected = free;
    return word_.compare_exchange(expected, held, platform::acquire);  // [lock]
  }
  void release() {
    if (word_.exchange(free, platform::release) == contended) platform::wake_one(word_);  // [lock]
  }
  void reset() { word_.store(free, platform::release); }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;
  void acquire_slowly();

  platform::atomic<std::uint32_t> word_;
};
static_assert(sizeof(lock_word) == 4);

/// Effect: opens a region, runs its part for number 0, closes it.
void run_region(task_function function, void* data, unsigned asked, const loop* first_loop);

}  // namespace teff::inline TEFF_PLATFORM::openmp
