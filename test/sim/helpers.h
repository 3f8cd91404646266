// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "sim/sim.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Effect: runs work(0) … work(count − 1), each on a processor of its own, the first on the caller's; joins them.
inline void run_on_each(unsigned count, const std::function<void(unsigned)>& work) {
  struct participant {
    const std::function<void(unsigned)>* work;
    unsigned number;
    platform::thread thread;
  };
  std::vector<participant> participants(count);
  for (unsigned i = 1; i < count; ++i) {
    participants[i].work = &work;
    participants[i].number = i;
    const unsigned place = i % static_cast<unsigned>(platform::machine().places.size());
    const bool started = participants[i].thread.start(
        [](void* pointer) {
          auto& mine = *static_cast<participant*>(pointer);
          (*mine.work)(mine.number);
        },
        &participants[i], {&place, 1});
    ASSERT_TRUE(started);
  }
  work(0);
  for (unsigned i = 1; i < count; ++i) participants[i].thread.join();
}

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
