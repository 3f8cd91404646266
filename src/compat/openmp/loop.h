// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A loop as its iterations, from the bounds that programs give.
#pragma once

#include "compat/openmp/workshare.h"

namespace TEFF_NAMESPACE::openmp {

/// Returns: the loop from `start` to before `end` in steps of `step`. Pre: the step is not 0.
inline loop loop_of(long start, long end, long step) {
  loop made;
  made.first = static_cast<std::uint64_t>(start);
  made.end = static_cast<std::uint64_t>(end);
  made.step = static_cast<std::uint64_t>(step);
  if (step > 0) made.count = start < end ? (made.end - made.first - 1) / made.step + 1 : 0;
  else made.count = start > end ? (made.first - made.end - 1) / (0 - made.step) + 1 : 0;
  return made;
}

/// As loop_of; a loop that goes down has a step of 2^64 less than it means.
inline loop loop_of_unsigned(bool up, std::uint64_t start, std::uint64_t end, std::uint64_t step) {
  loop made;
  made.first = start;
  made.end = end;
  made.step = step;
  if (up) made.count = start < end ? (end - start - 1) / step + 1 : 0;
  else made.count = start > end ? (start - end - 1) / (0 - step) + 1 : 0;
  return made;
}

}  // namespace TEFF_NAMESPACE::openmp
