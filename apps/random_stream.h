// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// Numbers that look random, the same ones for the same seed: a Weyl sequence with a finaliser of SplitMix64's kind.
class random_stream {
 public:
  explicit random_stream(std::uint64_t seed = 0) : state_(mixed(seed)) {}

  std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15u); }
  /// Returns: a number below `limit`, which is less than 2³². Pre: limit > 0.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }
  /// Returns: a number from 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Returns: a number that looks random, another one for every x; 0 for 0.
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace TEFF_NAMESPACE::apps
