// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that are not divided in halves: dealt out in tasks of a group.
#pragma once

#include "teff/detail/divide.hpp"
#include "teff/group.hpp"

#include <cstdint>

namespace TEFF_NAMESPACE::detail {

/// What a loop runs, for who deals it out.
struct dealt_loop {
  /// Effect: runs the units from `begin` on, in order. Pre: begin < end.
  void (*run)(const dealt_loop& self, context& here, std::uint64_t begin, std::uint64_t end);
  std::uint64_t units;  ///< iterations, or whatever is not divided: there is one at least
  std::uint64_t grain;  ///< units that stay together: 1 or more
  const char* label;    ///< by which reports name it
  const stop_condition& stop;
};

/// Effect: runs all units as `by` says, and returns when all have ended. Pre: `by` is not loop_by::halves. Errors: the first
/// exception that escaped from a unit; then tasks that had not begun are left out, as after a stop.
void deal_out(context& here, const dealt_loop& all, loop_by by);

/// Errors: usage_error, if the options do not go together.
void check_dealing(const loop_options& options);

}  // namespace TEFF_NAMESPACE::detail
