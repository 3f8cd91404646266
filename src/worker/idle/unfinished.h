// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

/// Returns: how much of what was created has not finished, as a difference of two sums: 0 only if nothing is left (README.md
/// beside this file, *Sound*); else it may be any number, as the counters change meanwhile. `at(number)` has `created` and
/// `finished`, which it alone writes; `elsewhere`: what was created by nobody of them. between() sees what those did who created
/// anything that is counted as finished. Cost: two loads for each of them.
template <class At, class Between>
std::uint64_t unfinished(unsigned count, At at, const platform::atomic<std::uint64_t>* elsewhere, Between between) {
  std::uint64_t difference = 0;
  // Those that finished first: [finished] acquire: all that they created is counted below.
  for (unsigned number = 0; number < count; ++number) difference -= at(number).finished.load(platform::acquire);
  // acquire: who closed a source has counted what came through it.
  if (elsewhere != nullptr) difference += elsewhere->load(platform::acquire);
  between();
  // [created] relaxed: what those that finished created is visible by [finished].
  for (unsigned number = 0; number < count; ++number) difference += at(number).created.load(platform::relaxed);
  return difference;
}
template <class At>
std::uint64_t unfinished(unsigned count, At at, const platform::atomic<std::uint64_t>* elsewhere = nullptr) {
  return unfinished(count, at, elsewhere, [] {});
}

}  // namespace TEFF_NAMESPACE::workers
