// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long a thread that was ready to run had no processor: the system gave it to another thread, of this process or of others,
/// or, where the system knows that, the host of a virtual machine to somebody else.
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// Effect: the calling thread slept so long in a call of the seam.
void count_sleep(std::uint64_t ns) noexcept;

/// Effect: if the calling thread was not looked at lately, it is now, and now = now_ns(): what it lost before is not asked for,
/// but for what was lost while it was supposed to run. Pre: `now` is now_ns(), a moment ago.
void forget_lost_time(std::uint64_t& now) noexcept;

/// Effect: now = now_ns(). Returns: of the time from `begin` until then what the calling thread lost, at least; 0 if the program
/// has waited in the system since the thread was looked at last, as that cannot be told apart. Pre: `now` is now_ns(), a moment
/// ago. Cost: a call of the system, and one more if the thread was switched for another one or has waited since it was looked at
/// last, or has run for long unasked.
std::uint64_t lost_time(std::uint64_t begin, std::uint64_t& now) noexcept;

}  // namespace TEFF_NAMESPACE::platform
