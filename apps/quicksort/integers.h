// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of integers: text (decimal, separated by white space) or binary (64 bits each, little endian).
#pragma once

#include "apps/workload.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

enum class integer_format { text, binary };

/// Effect: finds the format: by its name if there is one, else by the end of the file's (.bin and .i64 are binary).
/// Returns: an empty text, or a sentence.
std::string choose_format(integer_format& chosen, const std::string& path, const std::string& name);

/// Effect: appends the integers of the text. Returns: an empty text, or where and what the first word is that is none.
std::string parse_integers(std::string_view text, std::vector<std::int64_t>& integers);

/// Effect: reads a whole file. Returns: an empty text, or a sentence; then `integers` is empty. Errors: std::bad_alloc.
std::string read_integers(const std::string& path, integer_format format, std::vector<std::int64_t>& integers);

/// Effect: writes all, text one to a line. Returns: false if the sink refused.
bool write_integers(sink& to, integer_format format, const std::int64_t* integers, std::size_t count);

}  // namespace TEFF_NAMESPACE::apps
