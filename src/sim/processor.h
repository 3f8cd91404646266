// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/context.h"
#include "sim/lines.h"
#include "sim/operation.h"

#include <cstdint>

namespace TEFF_NAMESPACE::sim {

/// A virtual processor: a thread of control with a clock. Kept, with its stack, for later threads and later runs.
///
///   state      what ends it                                             who may change the clock
///   unused     start                                                    –
///   runnable   the strategy chooses it, it waits or ends                itself
///   watching   a write to its line, or its timer                        whoever ends the wait
///   parked     a wake of its word, or its timer                         whoever ends the wait
///   joining    the end of the processor it joins                        that processor
///   finished   its join; at once if it is detached                      –
struct processor {
  enum class state : std::uint8_t { unused, runnable, watching, parked, joining, finished };
  using entry_function = void (*)(void* argument);

  processor_id id = nobody;
  state doing = state::unused;
  bool timed_out = false;  ///< the last wait ended by its timer
  place at;
  std::uint64_t clock = 0;  ///< cycles
  void* current = nullptr;  ///< what platform::current() answers, while another processor runs

  void* ledger = nullptr;  ///< what platform::ledger_here() answers, while another processor runs

  const char* waits_for = "";  ///< the waiter's own words
  std::uint64_t waits_since = 0;
  /// Counts the waits of all threads that it was, so that a timer knows whether it is still meant.
  std::uint64_t waits = 0;
  line_number waits_on = no_line;
  const void* waits_on_word = nullptr;
  processor_id next_waiting = nobody;
  processor_id joined_by = nobody;
  bool detached = false;  ///< nobody joins it but the end of the run

  entry_function entry = nullptr;
  void* argument = nullptr;
  entry_function finish = nullptr;  ///< what it calls at its end
  void* finish_argument = nullptr;
  platform::context context;
  platform::stack stack;
};

}  // namespace TEFF_NAMESPACE::sim
