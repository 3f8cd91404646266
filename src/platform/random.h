// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// A small seeded generator (SplitMix64: Steele, Lea, Flood 2014): the same seed gives the same numbers on every machine.
/// Not for statistics; for victim order, jitter and test data. Owned by one thread.
class random {
 public:
  explicit constexpr random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Returns: a number in [0, bound); the bias is below bound / 2^32. Pre: 0 < bound < 2^32.
  constexpr std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace TEFF_NAMESPACE::platform
