// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The context switch: a thread of control that can be left and continued on one thread of the system.
///
/// Idea: the registers are saved and restored by Boost.Context's raw switch (about 7 ns). Around it this class keeps what
/// belongs to a thread of control beyond registers: the C++ runtime's list of caught exceptions and count of uncaught ones
/// (so that a switch inside a catch block is fine), and what the sanitizers believe about stacks.
/// Considered: ucontext (a system call in each switch, 263 ns); Boost's own C++ wrappers (they unwind stacks by an exception,
/// and leave the exception state to their caller).
#pragma once

#include "platform/stack.h"

#include <cstddef>

namespace teff::inline TEFF_PLATFORM::platform {

/// Where a thread of control was when it switched away, or where a new one begins.
///
/// Invariants: a context holds something to continue after make, and after a switch_to on it until somebody switches to it;
/// it is continued once. Which object saves a thread of control is free from switch to switch: one that runs on a fiber's
/// stack may be saved by the object of the virtual processor that carries the fiber.
/// Threads: one at a time. A context may be continued on another thread than the one that left it, once the switch away has
/// ended (whoever runs next on the leaving thread knows that).
class context {
 public:
  using entry_function = void (*)(void* argument);

  context() = default;
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context();

  /// Effect: the first switch here calls `entry(argument)` on the given stack; what was saved here before is forgotten, without
  /// unwinding. `entry` never returns: it ends with leave_to. Borrows: the stack, until the context is left for good.
  void make(const stack& where, entry_function entry, void* argument) noexcept { make(where.bottom(), where.bytes(), entry, argument); }
  /// The same on any memory: `bytes` from `bottom` on.
  void make(void* bottom, std::size_t bytes, entry_function entry, void* argument) noexcept;

  /// Effect: saves the caller here and continues `next`. Returns when somebody switches here.
  void switch_to(context& next) noexcept;

  /// As switch_to, for a thread of control that has ended: nobody may switch here again before the next make.
  [[noreturn]] void leave_to(context& next) noexcept;

 private:
  friend struct context_switch;  // the machinery in context.cpp, which knows Boost's types

  void* registers_ = nullptr;           ///< Boost's handle: the stack pointer below the saved registers
  const void* stack_bottom_ = nullptr;  ///< of the stack on which it continues; known to AddressSanitizer builds only
  std::size_t stack_bytes_ = 0;         ///< likewise
  [[maybe_unused]] void* sanitizer_fiber_ = nullptr;      ///< ThreadSanitizer's handle of what is saved here
  [[maybe_unused]] void* own_sanitizer_fiber_ = nullptr;  ///< the handle that make created; owned
  [[maybe_unused]] unsigned sanitizer_fiber_uses_ = 0;
  entry_function entry_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace teff::inline TEFF_PLATFORM::platform
