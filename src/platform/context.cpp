// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/context.h"

#include "base/assert.h"
#include "platform/sanitizers.h"

#include <boost/context/detail/fcontext.hpp>
#include <cxxabi.h>

namespace teff::inline TEFF_PLATFORM::platform {

namespace {

/// The layout that the C++ ABI for Itanium gives to what __cxa_get_globals returns.
struct exception_globals {
  void* caught_exceptions;
  unsigned int uncaught_exceptions;
};

/// The ABI's function is declared constant, but the answer changes when a context is continued on another thread: the barrier
/// and the missing inlining keep the compiler from using an answer from before a switch.
__attribute__((noinline)) exception_globals& exception_state() noexcept {
  void* state = abi::__cxa_get_globals();
  asm volatile("" : "+r"(state));
  return *static_cast<exception_globals*>(state);
}

namespace boosted = boost::context::detail;

}  // namespace

struct context_switch {
  /// What the side that leaves tells the side that goes on; lives on the stack that was left.
  struct handover {
    context* left;
    context* continued;
  };

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

  /// First thing on the stack that goes on: where the other side stopped is known only now.
  static void arrive(const boosted::transfer_t& from, [[maybe_unused]] void* fake_stack) noexcept {
    context& left = *static_cast<handover*>(from.data)->left;
    left.registers_ = from.fctx;
#if defined(TEFF_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack, &left.stack_bottom_, &left.stack_bytes_);
#endif
  }

  static void start(boosted::transfer_t from) noexcept {
    const context& self = *static_cast<handover*>(from.data)->continued;
    arrive(from, nullptr);
    exception_state() = {nullptr, 0};
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

  static void jump(context& from, context& to, void** fake_stack) noexcept {
    handover data{&from, &to};
    announce(from, to, fake_stack);
    const boosted::transfer_t back = boosted::jump_fcontext(to.registers_, &data);
    arrive(back, fake_stack == nullptr ? nullptr : *fake_stack);
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
  registers_ = boosted::make_fcontext(static_cast<char*>(bottom) + bytes, bytes, context_switch::start);
  context_switch::renew_sanitizer_fiber(*this);
}

void context::switch_to(context& next) noexcept {
  const exception_globals saved = exception_state();
  void* fake_stack = nullptr;
  context_switch::jump(*this, next, &fake_stack);
  exception_state() = saved;
}

void context::leave_to(context& next) noexcept {
  context_switch::jump(*this, next, nullptr);
  TEFF_REQUIRE(false, "a context that was left for good has to be made again before it is continued");
  __builtin_unreachable();
}

}  // namespace teff::inline TEFF_PLATFORM::platform
