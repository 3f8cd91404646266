// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/context.h"

#include "base/assert.h"
#include "platform/sanitizers.h"

#include <boost/context/detail/fcontext.hpp>
#include <cxxabi.h>
#include <pthread.h>

namespace TEFF_NAMESPACE::platform {

/// The layout that the C++ ABI for Itanium gives to what __cxa_get_globals returns.
struct exception_globals {
  void* caught_exceptions;
  unsigned int uncaught_exceptions;
};

namespace {

/// Which thread of the system runs this. As in native.h, the compiler must not keep an answer from before a switch.
#if defined(__x86_64__)
inline const void* system_thread() noexcept {
  const void* pointer;
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}
#else
[[gnu::noinline]] const void* system_thread() noexcept {
  asm volatile("" ::: "memory");  // else the compiler takes it for a constant, too
  return reinterpret_cast<const void*>(pthread_self());
}
#endif

namespace boosted = boost::context::detail;

/// Boost's jump, entered by a jump instead of a call. It never returns to where it was called, so after a call the processor's
/// own record of return addresses is off by one, and it mispredicts each return of the thread of control that goes on: 6 ns each
/// here.
inline boosted::transfer_t jump_without_call(boosted::fcontext_t to, void* data) noexcept {
#if defined(__x86_64__)
  boosted::transfer_t back;
  // The compiler may keep values in the 128 bytes below the stack pointer.
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "jmp *jump_fcontext@GOTPCREL(%%rip)\n"
      "1:\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "=&a"(back.fctx), "=&d"(back.data), "+D"(to), "+S"(data)
      :
      : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "cc", "memory");
  return back;
#else
  return boosted::jump_fcontext(to, data);
#endif
}

}  // namespace

struct context_switch {
  /// What the side that leaves tells the side that goes on; lives on the stack that was left.
  struct handover {
    context* left;
    context* continued;
    exception_globals* exceptions;  ///< of the thread, which is the same on both sides
  };

  /// Returns: the C++ runtime's state for this thread, which the context remembers from its last arrival on the same one.
  static exception_globals* exceptions_of_thread(context& left) noexcept {
    const void* const thread = system_thread();
    if (left.thread_ != thread) [[unlikely]] {
      left.thread_ = thread;
      left.exceptions_ = abi::__cxa_get_globals();
    }
    return static_cast<exception_globals*>(left.exceptions_);
  }

  /// Tells the sanitizers where the next instruction on another stack will be.
  static void announce([[maybe_unused]] context& from, [[maybe_unused]] context& to,
                       [[maybe_unused]] void** fake_stack) noexcept {
#if defined(TEFF_THREAD_SANITIZER)
    from.sanitizer_fiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.sanitizer_fiber_, 0);
#endif
#if defined(TEFF_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(fake_stack, to.stack_bottom_, to.stack_bytes_);
#endif
  }

  /// First thing on the stack that goes on: where the other side stopped is known only now. Returns: where this thread keeps
  /// exceptions.
  static exception_globals* arrive(const boosted::transfer_t& from, [[maybe_unused]] void* fake_stack) noexcept {
    const handover& data = *static_cast<handover*>(from.data);
    context& left = *data.left;
    exception_globals* const exceptions = data.exceptions;
    left.registers_ = from.fctx;  // from here on the other side may go on, on another thread
#if defined(TEFF_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack, &left.stack_bottom_, &left.stack_bytes_);
#endif
    return exceptions;
  }

  static void start(boosted::transfer_t from) noexcept {
    const context& self = *static_cast<handover*>(from.data)->continued;
    *arrive(from, nullptr) = {nullptr, 0};
    self.entry_(self.argument_);
    TEFF_REQUIRE(false, "a context's entry has to end with leave_to, not by returning");
  }

  /// A handle is used again, because ThreadSanitizer takes a millisecond to make one; not for ever, because frames that were
  /// left for good stay on its own stack, which holds 65,536.
  static void renew_sanitizer_fiber([[maybe_unused]] context& made) noexcept {
#if defined(TEFF_THREAD_SANITIZER)
    constexpr unsigned uses_at_most = 500;
    if (made.own_sanitizer_fiber_ == nullptr || ++made.sanitizer_fiber_uses_ == uses_at_most) {
      if (made.own_sanitizer_fiber_ != nullptr) __tsan_destroy_fiber(made.own_sanitizer_fiber_);
      made.own_sanitizer_fiber_ = __tsan_create_fiber(0);
      made.sanitizer_fiber_uses_ = 0;
    }
    made.sanitizer_fiber_ = made.own_sanitizer_fiber_;
#endif
  }

  static exception_globals* jump(context& from, context& to, exception_globals* exceptions, void** fake_stack) noexcept {
    handover data{&from, &to, exceptions};
    announce(from, to, fake_stack);
    const boosted::transfer_t back = jump_without_call(to.registers_, &data);
    return arrive(back, fake_stack == nullptr ? nullptr : *fake_stack);
  }
};

context::~context() {
#if defined(TEFF_THREAD_SANITIZER)
  if (own_sanitizer_fiber_ != nullptr) __tsan_destroy_fiber(own_sanitizer_fiber_);
#endif
}

void context::make(void* bottom, std::size_t bytes, entry_function entry, void* argument) noexcept {
  sanitizers::mark_usable(bottom, bytes);
  stack_bottom_ = bottom;
  stack_bytes_ = bytes;
  entry_ = entry;
  argument_ = argument;
  thread_ = nullptr;
  registers_ = boosted::make_fcontext(static_cast<char*>(bottom) + bytes, bytes, context_switch::start);
  context_switch::renew_sanitizer_fiber(*this);
}

void context::switch_to(context& next) noexcept {
  exception_globals* const here = context_switch::exceptions_of_thread(*this);
  const exception_globals saved = *here;
  void* fake_stack = nullptr;
  *context_switch::jump(*this, next, here, &fake_stack) = saved;
}

void context::leave_to(context& next) noexcept {
  context_switch::jump(*this, next, context_switch::exceptions_of_thread(*this), nullptr);
  TEFF_REQUIRE(false, "a context that was left for good has to be made again before it is continued");
  __builtin_unreachable();
}

}  // namespace TEFF_NAMESPACE::platform
