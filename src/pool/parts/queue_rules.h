// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool::parts {

/// The steps of run queues that tests leave out, or change, to show that they are needed.
struct queue_rules {
  static constexpr bool keeps_childs_lock = true;
  static constexpr bool blocked_first = true;
  static constexpr std::uint32_t set_surplus = 0;
  static constexpr bool takes_turns = true;
  /// For a task that may go on somebody is woken, also if who says so is no worker (a thread from outside, a timer), and also if
  /// the worker that it left has not looked since: that may have other things to do.
  static constexpr bool calls_for_outsiders = true;
  static constexpr bool calls_before_next_look = true;
  /// Who has found a task has those woken who may take what is left.
  static constexpr bool calls_others = true;
  /// And that is all below the queue in which it is left, not those alone who share the way up to it.
  static constexpr bool calls_all_below = true;
};

}  // namespace TEFF_NAMESPACE::pool::parts
