// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tools that watch memory and threads have to be told about stacks; nothing in a build without them.
#pragma once

#include "base/namespace.h"

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TEFF_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEFF_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define TEFF_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEFF_THREAD_SANITIZER 1
#endif
#endif

#if defined(TEFF_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif
#if defined(TEFF_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace TEFF_NAMESPACE::platform::sanitizers {

/// Effect: whatever old frames left in the shadow of this memory is gone: a new stack or block begins there.
inline void mark_usable([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(TEFF_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

/// Effect: a touch of this memory is reported until mark_usable.
inline void mark_released([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(TEFF_ADDRESS_SANITIZER)
  __asan_poison_memory_region(memory, bytes);
#endif
}

/// Effect: the block that this points into, and what is reached from there, may stay allocated without being reported.
inline void expect_leak([[maybe_unused]] const void* inside) {
#if defined(TEFF_ADDRESS_SANITIZER)
  if (inside != nullptr) __lsan_ignore_object(inside);
#endif
}

/// While it lives, what is allocated may stay allocated without being reported.
class leaks_allowed {
 public:
  explicit leaks_allowed([[maybe_unused]] bool allowed) : allowed_(allowed) {
#if defined(TEFF_ADDRESS_SANITIZER)
    if (allowed_) __lsan_disable();
#endif
  }
  ~leaks_allowed() {
#if defined(TEFF_ADDRESS_SANITIZER)
    if (allowed_) __lsan_enable();
#endif
  }
  leaks_allowed(const leaks_allowed&) = delete;
  leaks_allowed& operator=(const leaks_allowed&) = delete;

 private:
  [[maybe_unused]] bool allowed_;
};

}  // namespace TEFF_NAMESPACE::platform::sanitizers
