// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Input files, and how messages speak of what stands in them.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE::apps {

/// Effect: appends a whole file. Returns: an empty text, or a sentence. Errors: std::bad_alloc.
std::string read_bytes(const std::string& path, std::string& bytes);

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns: a word as a message may show it: not longer than a line, and nothing that a terminal would obey.
std::string shown(std::string_view word);

/// Returns: "line 3, column 7" of a place in a text.
std::string place_of(std::string_view text, std::size_t offset);

}  // namespace TEFF_NAMESPACE::apps
