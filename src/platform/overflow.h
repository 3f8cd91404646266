// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What happens when a stack's guard page is touched: a sentence instead of a bare signal. Natively only, and in no build whose
/// sanitizer has a handler of its own.
#pragma once

#include "platform/line.h"

namespace TEFF_NAMESPACE::platform {

/// Adds a sentence about the overflow at this address, if it is one. Called in a signal handler, on the thread that overflowed.
using overflow_reporter = bool (*)(const void* touched, line& to) noexcept;

/// Effect: from now on a signal for memory that may not be touched is shown to `reporter` first. If that has a sentence, it is
///   written, and the signal's default action follows; else the handler that was there before is called, and has its place again
///   at the end of the process or of the library. Once per process; later calls do nothing.
void report_overflows(overflow_reporter reporter) noexcept;

/// A stack for signals: the handler cannot run on a stack that is used up. Owns: its memory, which is taken at the first lend.
class signal_stack {
 public:
  signal_stack() = default;
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;
  /// Pre: it is not lent.
  ~signal_stack();

  /// Effect: the calling thread has it until take_back, unless the thread has one already. Cost: two system calls.
  void lend() noexcept;
  /// Pre: on the same thread.
  void take_back() noexcept;

 private:
  [[maybe_unused]] void* memory_ = nullptr;  // natively
  [[maybe_unused]] bool lent_ = false;
};

}  // namespace TEFF_NAMESPACE::platform
