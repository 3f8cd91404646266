// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::pool::parts {

/// What shepherds do, and tests leave out to show that it is needed.
struct shepherd_rules {
  /// Of a domain one thief at a time visits others.
  static constexpr bool has_gate = true;
  /// The next one may, as soon as it has something.
  static constexpr bool opens_gate_before_task = true;
  /// A victim's lock is taken only if that showed tasks.
  static constexpr bool probes_first = true;
  /// A chunk is taken under one holding of it.
  static constexpr bool takes_chunk_at_once = true;
  /// For a task placed in turn whom it was placed with is woken.
  static constexpr bool names_whom_to_wake = true;
  /// Domains say who shares a queue.
  static constexpr bool goes_by_domains = true;
  /// A put wakes who sits in its domain rather than others.
  static constexpr bool calls_near_first = true;
  /// Who waits finds what it has put itself without a look at what others have.
  static constexpr bool notes_puts = true;
};

}  // namespace TEFF_NAMESPACE::pool::parts
