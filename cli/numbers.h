// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers and lists as users write them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teff::cli {

/// A number on the command line: the option it belongs to, and what is allowed.
struct number_option {
  const char* name;
  std::uint64_t least, most;
};

/// Returns: an empty text, or a sentence that names the value and the allowed ones.
std::string parse_number(const number_option& option, const std::string& text, std::uint64_t& value);

/// Effect: splits at commas. Returns: an empty text, or a sentence: no element may be empty or come twice.
std::string parse_list(const std::string& option, const std::string& text, std::vector<std::string>& elements);

}  // namespace teff::cli
