// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a lock guards, so that the time account can tell locks apart.
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE {

/// name, what its lock is called
#define TEFF_GUARDED(X)                                          \
  X(something, "another lock")                                   \
  X(central_queue, "lock of the central queue")                  \
  X(central_queue_head, "lock at the head of the central queue") \
  X(central_queue_tail, "lock at the tail of the central queue") \
  X(task_of_queue, "lock of a task in a queue")                  \
  X(queue, "lock of queue")                                      \
  X(deque, "lock of deque")                                      \
  X(run_queue, "lock of run queue")                              \
  X(inbox, "lock of the inbox")                                  \
  X(free_list, "lock of the central free list")                  \
  X(fibers, "lock of the list of fibers")                        \
  X(outside, "lock of calls from outside")                       \
  X(program_object, "lock inside of a mutex or the like of the program")

enum class guarded : std::uint8_t {
#define TEFF_GUARDED_NAME(name, what) name,
  TEFF_GUARDED(TEFF_GUARDED_NAME)
#undef TEFF_GUARDED_NAME
};

inline constexpr unsigned guarded_count = 0
#define TEFF_GUARDED_ONE(name, what) +1
    TEFF_GUARDED(TEFF_GUARDED_ONE)
#undef TEFF_GUARDED_ONE
    ;

inline constexpr const char* guarded_texts[guarded_count] = {
#define TEFF_GUARDED_TEXT(name, what) what,
    TEFF_GUARDED(TEFF_GUARDED_TEXT)
#undef TEFF_GUARDED_TEXT
};

/// What a lock guards, and which of several such things. Two bytes, as locks are many.
struct lock_label {
  static constexpr unsigned no_number = 0x7ff;

  guarded what() const { return static_cast<guarded>(bits >> 11); }
  unsigned number() const { return bits & no_number; }
  static constexpr lock_label of(guarded what, unsigned number = no_number) {
    return {static_cast<std::uint16_t>(static_cast<unsigned>(what) << 11 | (number < no_number ? number : no_number))};
  }

  std::uint16_t bits = no_number;
};

}  // namespace TEFF_NAMESPACE
