// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace teff::report {

/// Returns: the text as it may stand between tags and in quoted attributes of HTML and XML. Bytes that are no UTF-8, and
/// characters that no document may hold, become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace teff::report
