// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstddef>
#include <new>

namespace TEFF_NAMESPACE::platform {

/// Returns: the one object of that type in the process, which is made when it is asked for first, and never destroyed: threads
/// outlive main. Unlike a static local one it does not leave a child of fork() waiting, in whose parent another thread was just
/// making it: there it is made anew. Its constructor throws nothing. Cost: a load.
template <class T>
T& process_wide() noexcept {
  static constinit once_in_process made;
  alignas(T) static constinit std::byte storage[sizeof(T)]{};
  made.run([] { ::new (static_cast<void*>(storage)) T; });
  return *std::launder(reinterpret_cast<T*>(storage));
}

}  // namespace TEFF_NAMESPACE::platform
