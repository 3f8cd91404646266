// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// What platform::touch says of memory.
enum class touched : std::uint8_t { read, written };
inline constexpr touched to_read = touched::read;
inline constexpr touched to_write = touched::written;

}  // namespace TEFF_NAMESPACE::platform
