// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/stack_bounds.h"

#include <pthread.h>

namespace TEFF_NAMESPACE::platform {

/// Returns: the stack that the system gave to the calling thread; empty if it does not say. Cost: memory is allocated, and given
/// back; for a process's first thread a file of the system's is read, which is as long as the process has mappings.
inline stack_bounds stack_of_system_thread() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* bottom = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  return {static_cast<const char*>(bottom), bytes};
}

}  // namespace TEFF_NAMESPACE::platform
