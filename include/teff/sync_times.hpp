// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The forms with std::chrono's times of the objects in sync.hpp, and how their numbers are checked.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "base/namespace.h"

#include "sync/waiting.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace TEFF_NAMESPACE::detail {

inline constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();
/// Errors: usage_error, always: the value, and what is allowed.
[[noreturn]] void refuse_number(const char* what, std::int64_t value, std::int64_t least, std::int64_t most);

/// Returns: the number, if it is allowed. Errors: usage_error.
inline std::ptrdiff_t checked(const char* what, std::ptrdiff_t value, std::ptrdiff_t least, std::ptrdiff_t most = any_number) {
  if (value < least || value > most) [[unlikely]]
    refuse_number(what, value, least, most);
  return value;
}

/// Longer times do not pass.
inline constexpr std::chrono::duration<double> a_century(3.2e9);

template <class Rep, class Period>
std::uint64_t deadline_after(const std::chrono::duration<Rep, Period>& time) {
  if (!(time > time.zero())) return sync::has_passed;
  if (std::chrono::duration<double>(time) > a_century) return sync::no_deadline;
  return platform::now_ns() + static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::nanoseconds>(time).count());
}

/// Returns: the deadline for a time of another clock; has_passed only if that clock says so.
template <class Clock, class Duration>
std::uint64_t deadline_at(const std::chrono::time_point<Clock, Duration>& when) {
  const auto now = Clock::now();
  // Roughly first: in units that are fine enough for both, one of them may have no place, unless they are close to each other.
  constexpr std::chrono::duration<double> close(1);
  const std::chrono::duration<double> left =
      std::chrono::duration<double>(when.time_since_epoch()) - std::chrono::duration<double>(now.time_since_epoch());
  if (left > close) return deadline_after(left);
  if (left < -close || when <= now) return sync::has_passed;
  return deadline_after(when - now);
}

/// Effect: calls wait(deadline of platform::now_ns) until it returns true or the clock says that the time has passed.
template <class Clock, class Duration, class Wait>
bool wait_until(const std::chrono::time_point<Clock, Duration>& when, Wait wait) {
  for (;;) {
    const std::uint64_t deadline_ns = deadline_at(when);
    if (wait(deadline_ns)) return true;
    if (deadline_ns == sync::has_passed) return false;
  }
}

/// What std's TimedLockable adds. `Base` has try_lock_until(deadline).
template <class Base>
class timed : public Base {
 public:
  using Base::Base;
  /// Returns: false if the time passed first. Blocks: the fiber.
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& time) {
    return Base::try_lock_until(deadline_after(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& when) {
    return wait_until(when, [this](std::uint64_t deadline_ns) { return Base::try_lock_until(deadline_ns); });
  }
};

/// What std's SharedTimedLockable adds to that.
template <class Base>
class timed_shared : public timed<Base> {
 public:
  using timed<Base>::timed;
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& time) {
    return Base::try_lock_shared_until(deadline_after(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& when) {
    return wait_until(when, [this](std::uint64_t deadline_ns) { return Base::try_lock_shared_until(deadline_ns); });
  }
};

}  // namespace TEFF_NAMESPACE::detail

#endif
