// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "platform/tuning.h"
#include "teff/detail/divide.hpp"

#include <algorithm>
#include <cstdint>

namespace TEFF_NAMESPACE::detail {

/// When a loop began, as far as its workers need it. Threads: any.
class loop_begin {
 public:
  /// Effect: the first call says when. Returns: how long ago that was.
  std::uint64_t age_ns(std::uint64_t since_ns, std::uint64_t now_ns) const {
    std::uint64_t begun_ns = ns_.load(platform::relaxed);  // relaxed, all: a hint; of several that are the first, any
    if (begun_ns == 0) ns_.store(begun_ns = since_ns, platform::relaxed);
    return now_ns - std::min(begun_ns, now_ns);
  }

 private:
  mutable platform::atomic<std::uint64_t> ns_{0};
};

/// What whoever has begun a part of a loop knows of it. What is brief is not divided, neither for others to come nor for who is
/// hungry: to hand it on costs more than it brings.
/// Threads: who has begun the part, so one at a time; `brief`: any, as who takes a half of it begins with what is known of it; it
/// is written by who has begun the part.
struct begun_part {
  /// `undivided`: iterations that are not divided for others to come; `seem_brief`: what `brief` was where they were taken.
  begun_part(const loop_begin& loop, std::uint64_t iterations, std::uint64_t undivided, std::uint64_t seem_brief)
      : loop(loop),
        undivided(undivided),
        whole(std::max(undivided, seem_brief)),
        brief(seem_brief),
        is_to_be_timed(iterations >= worth_timing) {}
  /// The rest of a part, which is not divided but for who is hungry.
  begun_part(const begun_part& of, std::uint64_t left)
      : loop(of.loop), undivided(left), whole(left), brief(of.seem_brief()), is_to_be_timed(of.is_to_be_timed) {}

  std::uint64_t seem_brief() const { return brief.load(platform::relaxed); }  // relaxed: a hint
  /// Returns: iterations, of so many that are left, between two looks whether others are hungry, so that the compiler has a loop
  /// to make fast ones of. However short iterations seem to be: one behind them may be long.
  std::uint64_t unwatched(std::uint64_t left) const {
    return std::min(unwatched_at_most, at_least_one(std::min(left, undivided) / 8));
  }
  /// Effect: takes what so many iterations took that began at `since_ns` for what others will take. Returns: when they ended.
  std::uint64_t learn(std::uint64_t iterations, std::uint64_t since_ns) {
    const std::uint64_t now_ns = platform::now_ns();
    const std::uint64_t brief_ns =
        std::max<std::uint64_t>(tuning::brief_part_ns, loop.age_ns(since_ns, now_ns) / tuning::brief_part_of_loop);
    const std::uint64_t fit = at_least_one(iterations * brief_ns / at_least_one(now_ns - since_ns));
    brief.store(fit, platform::relaxed);  // relaxed: a hint
    whole = std::max(undivided, fit);
    is_to_be_timed = false;
    return now_ns;
  }

  static constexpr std::uint64_t unwatched_at_most = 512;
  /// Iterations below which a part is divided about as fast as the clock is read.
  static constexpr std::uint64_t worth_timing = 64;

  const loop_begin& loop;
  const std::uint64_t undivided;
  std::uint64_t whole;                    ///< these, or what is brief, if that is more
  platform::atomic<std::uint64_t> brief;  ///< iterations that take a brief time, as some were timed last; 0: none were
  bool is_to_be_timed;                    ///< the next that run are
};

}  // namespace TEFF_NAMESPACE::detail
