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
#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// How floating-point operations round and what they trap. A switch saves and restores it; a context begins with that of who
/// makes it.
struct float_control {
  std::uint32_t sse = 0;
  std::uint16_t x87 = 0;

  static float_control current() noexcept {
    float_control now;
#if defined(__x86_64__)
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(now.sse), "=m"(now.x87));
    now.sse &= ~std::uint32_t{0x3f};  // without the flags of what happened
#endif
    return now;
  }
  void set() const noexcept {
#if defined(__x86_64__)
    asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87));
#endif
  }
  friend bool operator==(const float_control&, const float_control&) = default;
};

/// While it lives, the calling thread of control has this one.
class with_float_control {
 public:
  explicit with_float_control(const float_control& wanted) noexcept
      : before_(float_control::current()), differs_(!(before_ == wanted)) {
    if (differs_) wanted.set();
  }
  ~with_float_control() {
    if (differs_) before_.set();
  }
  with_float_control(const with_float_control&) = delete;
  with_float_control& operator=(const with_float_control&) = delete;

 private:
  const float_control before_;
  const bool differs_;
};

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
  void make(const stack& where, entry_function entry, void* argument) noexcept {
    make(where.bottom(), where.bytes(), entry, argument);
  }
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
  const void* thread_ = nullptr;  ///< that last left here …
  void* exceptions_ = nullptr;    ///< … and where it keeps its exceptions
  entry_function entry_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::platform
