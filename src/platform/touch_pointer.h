// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Included by platform.h alone, behind the side's touch.
#pragma once

#include "platform/touch.h"

#include <memory>

namespace TEFF_NAMESPACE::platform {

/// Effect: touch, of that pointer itself, not of what it points to.
template <class T>
void touch_pointer(T* const& pointer, touched how) noexcept {
  touch(static_cast<const void*>(std::addressof(pointer)), sizeof(void*), how);
}

}  // namespace TEFF_NAMESPACE::platform
