// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace TEFF_NAMESPACE::pool::parts {

/// Sets `target` to the number. Returns: false if the text is no number from `least` to `most`.
template <class Number>
bool choose(Number& target, std::string_view text, std::uint32_t least, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) return false;
  target = value;
  return true;
}

/// Sets `target` to the value that stands beside the name. Returns: false if the name is not there.
template <class Value, std::size_t Count>
bool choose(Value& target, std::string_view text, const std::pair<const char*, Value> (&choices)[Count]) {
  for (const auto& [name, value] : choices) {
    if (text != name) continue;
    target = value;
    return true;
  }
  return false;
}

}  // namespace TEFF_NAMESPACE::pool::parts
