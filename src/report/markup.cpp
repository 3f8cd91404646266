// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/markup.h"

#include <cstddef>
#include <cstdint>

namespace teff::report {

namespace {

constexpr std::string_view replacement = "\uFFFD";

std::uint32_t byte_at(std::string_view text, std::size_t index) {
  return index < text.size() ? static_cast<unsigned char>(text[index]) : 0;
}

bool is_allowed_byte(std::uint32_t byte) { return (byte >= 0x20 && byte < 0x7F) || byte == '\t' || byte == '\n' || byte == '\r'; }

/// Neither a control character, nor half of a pair, nor one of those that are no characters; nor written longer than need be.
bool is_allowed_code(std::uint32_t code, std::size_t bytes) {
  constexpr std::uint32_t first_of_two = 0xA0, first_of_three = 0x800, first_of_four = 0x10000;
  const std::uint32_t least = bytes == 2 ? first_of_two : bytes == 3 ? first_of_three : first_of_four;
  const bool half_of_pair = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return code >= least && code <= 0x10FFFF && !half_of_pair && !no_character;
}

/// Returns: how many bytes the first character has; 0 if no document may hold it. Pre: not empty.
std::size_t character_bytes(std::string_view text) {
  const std::uint32_t first = byte_at(text, 0);
  if (first < 0x80) return is_allowed_byte(first) ? 1 : 0;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t bytes = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const std::uint32_t next = byte_at(text, i);
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3F);
  }
  return is_allowed_code(code, bytes) ? bytes : 0;
}

std::string_view written(std::string_view character) {
  switch (character[0]) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return character;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    made += bytes == 0 ? replacement : written(text.substr(0, bytes));
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return made;
}

}  // namespace teff::report
