// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values as people read them.
#pragma once

#include "cli/system.h"

#include <cstdint>
#include <string>
#include <vector>

namespace teff::cli {

/// Returns: the bytes in the largest unit that leaves no fraction: "48 KiB".
std::string bytes_text(std::uint64_t bytes);

/// Returns: ascending numbers as the kernel writes them: "0-3,8".
std::string ranges_text(const std::vector<unsigned>& numbers);

/// Returns: the text on one line: control characters become "?".
std::string printable(std::string text);

/// Returns: "can be counted", or that it cannot and why.
std::string counting_text(os::counting answer);

}  // namespace teff::cli
