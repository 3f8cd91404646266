// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::sync {

/// Steps that tests leave out, to show that they are needed and that the tests would miss them.
struct rules {
  /// Every object: from the look at the state until the caller is in the list, the lock is held.
  static constexpr bool queues_where_it_looked = true;
  /// mutex: who finds it held marks it contended before it waits.
  static constexpr bool marks_contended = true;
  /// mutex with a deadline: who was handed the mutex has it, even if the deadline has passed meanwhile.
  static constexpr bool keeps_what_came_late = true;
  /// recursive_mutex: unlock gives up one lock, not all.
  static constexpr bool counts_depth = true;
  /// shared_mutex: who gives up lets in those that it kept out.
  static constexpr bool admits_those_behind = true;
  /// condition: the waiter is in the list before it unlocks.
  static constexpr bool queues_before_unlocking = true;
  /// once: after an exception one of those who wait tries again.
  static constexpr bool hands_on_after_exception = true;
  /// full_empty: who was let go may let others go.
  static constexpr bool settles_to_the_end = true;
  /// channel: into the room that who receives has made, the value of a sender that waits follows.
  static constexpr bool lets_senders_follow = true;
};

}  // namespace TEFF_NAMESPACE::sync
