// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "platform/tuning.h"
#include "teff/detail/divide.hpp"

#include <algorithm>
#include <cstdint>

namespace TEFF_NAMESPACE::detail {

/// What whoever has begun a part of a loop knows of it. What is brief is not divided, neither for others to come nor for who is
/// hungry: to hand it on costs more than it brings.
/// Threads: who has begun the part, so one at a time.
struct begun_part {
  std::uint64_t undivided;      ///< iterations that are not divided for others to come
  std::uint64_t loop_begun_ns;  ///< when the whole loop began
  std::uint64_t brief = 0;      ///< iterations that take a brief time, as some were timed last; 0: none were, yet

  bool knows_its_time() const { return brief != 0; }
  std::uint64_t whole() const { return std::max(undivided, brief); }
  /// Returns: iterations, of so many that are left, between two looks whether others are hungry, so that the compiler has a loop
  /// to make fast ones of. However short iterations seem to be: one behind them may be long.
  std::uint64_t unwatched(std::uint64_t left) const {
    return std::min(std::uint64_t{512}, at_least_one(std::min(left, undivided) / 8));
  }
  /// Effect: takes what so many iterations took that began at `since_ns` for what others will take. Returns: when they ended.
  std::uint64_t learn(std::uint64_t iterations, std::uint64_t since_ns) {
    const std::uint64_t now_ns = platform::now_ns();
    const std::uint64_t brief_ns =
        std::max<std::uint64_t>(tuning::brief_part_ns, (now_ns - loop_begun_ns) / tuning::brief_part_of_loop);
    brief = at_least_one(iterations * brief_ns / at_least_one(now_ns - since_ns));
    return now_ns;
  }
};

}  // namespace TEFF_NAMESPACE::detail
