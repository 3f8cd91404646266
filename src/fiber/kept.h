// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::fibers {

struct fiber;

/// A wait of a task that keeps its worker: there is no stack on which that could go on.
struct kept_wait {
  fiber& own;
  bool has_stack_to_leave;  ///< own's is a fiber's, so that the worker may go on with another one; else the thread's
  void (*commit)(void* argument);
  bool (*withdraw)(void* argument);  ///< or nullptr
  void* argument;
  fiber* next = nullptr;  ///< with kept_end::other_fiber
};

/// How it ended.
enum class kept_end {
  went_on,       ///< it was made ready, and the worker took it
  ran_in_place,  ///< a task was run in place; the wait was withdrawn, and its fiber runs, on another worker perhaps
  other_fiber,   ///< the worker can go on with a fiber that is ready
  new_stack,     ///< there is an idle fiber now
  run_ended,     ///< nobody can go on
};

}  // namespace TEFF_NAMESPACE::fibers
