// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::platform {

/// Returns: the stack pointer. The same on both sides of the seam. Cost: one move; __builtin_frame_address would make the calling
/// function keep a frame pointer.
[[gnu::always_inline]] inline const char* stack_pointer() noexcept {
#ifdef __x86_64__
  const char* pointer;
  asm("movq %%rsp, %0" : "=r"(pointer));
  return pointer;
#else
  return static_cast<const char*>(__builtin_frame_address(0));
#endif
}

/// Returns: whether the stack pointer is above the mark. Cost: one comparison.
[[gnu::always_inline]] inline bool stack_is_above(const char* const& mark) noexcept {
#ifdef __x86_64__
  bool above;
  asm("cmpq %1, %%rsp" : "=@cca"(above) : "m"(mark));
  return above;
#else
  return stack_pointer() > mark;
#endif
}

}  // namespace TEFF_NAMESPACE::platform
