// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random numbers as the randomised task pools of Korch & Rauber (2002, §6.3) draw them.
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <cstdlib>
#include <random>

namespace TEFF_NAMESPACE::platform {

/// The C library's reentrant generator, scaled in floating point. Its numbers depend on the library. Owned by one thread.
class c_library_random {
 public:
  explicit c_library_random(std::uint64_t seed) : state_(static_cast<unsigned>(seed)) {}

  /// Returns: a number in [0, bound). Pre: 0 < bound.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(rand_r(&state_) / (RAND_MAX + 1.0) * bound); }

 private:
  unsigned state_;
};

/// The Mersenne Twister (Matsumoto, Nishimura 1998), 2.5 KiB of state, reduced by integer or by floating-point arithmetic.
/// Owned by one thread.
class mersenne_twister {
 public:
  explicit mersenne_twister(std::uint64_t seed) : generator_(static_cast<std::uint32_t>(seed)) {}

  /// Returns: a number in [0, bound), by division. Pre: 0 < bound.
  std::uint32_t below_by_integer(std::uint32_t bound) { return static_cast<std::uint32_t>(generator_()) % bound; }
  /// Returns: a number in [0, bound), by multiplication in floating point. Pre: 0 < bound.
  std::uint32_t below_by_float(std::uint32_t bound) {
    return static_cast<std::uint32_t>(static_cast<double>(generator_()) * (1.0 / 4294967296.0) * bound);
  }

 private:
  std::mt19937 generator_;
};

}  // namespace TEFF_NAMESPACE::platform
