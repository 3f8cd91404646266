// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/split_rules.h"

namespace TEFF_NAMESPACE::pool {

/// Steps that tests leave out to show that they are needed.
struct split_deques_rules : queue::split_rules {
  /// Who is about to sleep asks all others for tasks.
  static constexpr bool asks_before_it_looks = true;
  /// It looks at the private tasks of others.
  static constexpr bool serves_by_force = true;
  /// An owner that took its public part back looks whether somebody sleeps.
  static constexpr bool looks_after_taking_back = true;
  /// An owner that put a task back looks, too.
  static constexpr bool looks_after_putting_back = true;
  static constexpr bool looks_after_a_pop_in_vain = true;
  /// A wait that forced tasks which it does not take says so.
  static constexpr bool tells_of_what_it_forced = true;
  /// One thief per domain visits other domains.
  static constexpr bool crosses_alone = true;
};

}  // namespace TEFF_NAMESPACE::pool
