// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE {

/// Returns: whether the byte goes on with a character of UTF-8 that an earlier byte began.
constexpr bool continues_character(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

/// Returns: the begin of the text, of at most so many bytes, that ends with a whole character. Text that is no UTF-8 is cut at
/// the byte.
constexpr std::string_view begin_of(std::string_view text, std::size_t bytes_at_most) noexcept {
  constexpr std::size_t continuing_at_most = 3;
  if (text.size() <= bytes_at_most) return text;
  std::size_t end = bytes_at_most;
  while (end > 0 && bytes_at_most - end < continuing_at_most && continues_character(text[end])) --end;
  return text.substr(0, continues_character(text[end]) ? bytes_at_most : end);
}

/// Returns: a text of the user's as a message may quote it: a long one is cut, which three dots say.
inline std::string quotable(std::string_view text) {
  constexpr std::size_t quoted_at_most = 200;
  std::string shown(begin_of(text, quoted_at_most));
  return shown.size() < text.size() ? shown + "…" : shown;
}

}  // namespace TEFF_NAMESPACE
