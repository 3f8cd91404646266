// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes as users write them: a name, or "key=value,…".
#pragma once

#include "apps/workload.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// A number that a size sets.
struct number_key {
  const char* name;
  std::uint64_t* target;
  std::uint64_t least, most;
  const char* reason;  ///< for the bounds, as the end of a sentence; may be empty
};

/// A number with a fraction that a size sets.
struct decimal_key {
  const char* name;
  double* target;
  double least, most;
  const char* reason;  ///< as above
};

/// A word that a size chooses.
struct word_key {
  const char* name;
  std::string* target;
  std::vector<std::string> allowed;
};

struct size_keys {
  std::vector<number_key> numbers;
  std::vector<word_key> words;
  std::vector<decimal_key> decimals = {};
};

/// Effect: sets the targets that `text` names. Returns: an empty text, or a sentence that says which word is wrong; then some
/// targets may have changed.
std::string parse_size(std::string_view text, const std::vector<named_size>& names, const size_keys& keys);

/// Whether the text sets this key itself (a named size does not).
bool names_size_key(std::string_view text, std::string_view key);

/// Returns: the number that the whole text is, if it is one without sign that fits 64 bits.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Returns: the shortest text that is this number.
std::string text_of(double number);

}  // namespace TEFF_NAMESPACE::apps
