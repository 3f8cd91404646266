// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

/// In a word that counts who has announced itself so many bits are that count, and those above are tasks.
inline constexpr unsigned announced_bits = 16;

/// Returns: how much of what was created has not finished, as a difference of two sums: 0 only if nothing is left (README.md
/// beside this file, *Sound*); else it may be any number, as the counters change meanwhile. `at(number)` has `created` and
/// `finished`, which it alone writes; `elsewhere`: what was created by nobody of them. Cost: two loads for each of them.
template <class At>
std::uint64_t unfinished(unsigned count, At at, const platform::atomic<std::uint64_t>* elsewhere = nullptr) {
  std::uint64_t difference = 0;
  // Those that finished first: [finished] acquire: all that they created is counted below.
  for (unsigned number = 0; number < count; ++number) difference -= at(number).finished.load(platform::acquire);
  // acquire: who closed a source has counted what came through it.
  if (elsewhere != nullptr) difference += elsewhere->load(platform::acquire);
  // [created] relaxed: what those that finished created is visible by [finished].
  for (unsigned number = 0; number < count; ++number) difference += at(number).created.load(platform::relaxed);
  return difference;
}

}  // namespace TEFF_NAMESPACE::workers
