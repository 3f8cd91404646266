// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "sim/sim.h"
#include "test/support/workers.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::sim {

using testing_support::run_on_each;

/// Returns: options for the short programs of these tests.
inline options with(strategy strategy, std::uint64_t seed) {
  options wanted;
  wanted.strategy = strategy;
  wanted.seed = seed;
  wanted.pct_length = 30;
  return wanted;
}

/// A word that shares its line with nothing.
template <class T>
struct alignas(cache_line_bytes) padded {
  platform::atomic<T> word{T{}};
};

}  // namespace TEFF_NAMESPACE::sim
