// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs of one program on one machine that differ as runs on a real machine do: a sample of a simulation.
///
/// Idea: a run is drawn from a number. Each cost of the machine is up to 1 % larger or smaller for the whole run; each charge of
/// the program's and each wake-up takes up to 1 % more or less, drawn anew; each thread begins a little later than it could. So
/// no result rests on two processors that come at the same cycle every time, or on a number that is known to within 1 % at best.
#pragma once

#include "sim/machine_description.h"

#include <cstdint>

namespace TEFF_NAMESPACE::sim {

/// Numbers that say "as described": nothing varies.
inline constexpr std::uint64_t as_described = 0;

/// Costs move by one part of so many at most.
inline constexpr unsigned variation_parts = 100;

/// Returns: the machine with each of its costs moved, as the number draws it. Its cycles are parts of those of the machine, so
/// that a cost of a few cycles can move by 1 %, too: times in nanoseconds stay comparable. Sizes, the clock and `access_jitter`
/// stay as they are; what takes no time goes on taking none.
machine_description varied(const machine_description& machine, std::uint64_t number);

}  // namespace TEFF_NAMESPACE::sim
