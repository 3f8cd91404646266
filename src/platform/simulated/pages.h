// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>

namespace TEFF_NAMESPACE::platform {

/// Returns: that many zeroed bytes at a multiple of `alignment`, or nullptr if the system refuses. Untouched pages cost no
/// memory. Pre: both are multiples of a page, `alignment` a power of two.
char* map_pages(std::size_t bytes, std::size_t alignment) noexcept;

void unmap_pages(char* begin, std::size_t bytes) noexcept;

/// Effect: the bytes are zero again. Cost: a system call, and a fault at the next touch of each page.
void zero_pages(char* begin, std::size_t bytes) noexcept;

}  // namespace TEFF_NAMESPACE::platform
