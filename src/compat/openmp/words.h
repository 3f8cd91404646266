// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the values of variables are read.
#pragma once

#include "base/namespace.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

inline char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

/// Whether they differ in capitals only.
inline bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

inline std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Returns: what stands before the first `end`, or all. Effect: `rest` is what stands behind it.
inline std::string_view take_until(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  const std::string_view before = rest.substr(0, at);
  rest = at == rest.npos ? std::string_view() : rest.substr(at + 1);
  return before;
}

/// Returns: nothing unless the text is a number from `least` to `most`.
inline std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size() || number < least || number > most) return std::nullopt;
  return number;
}

/// Returns: the value that stands beside the word; nothing if it is not there.
template <class Value, std::size_t Count>
std::optional<Value> value_named(std::string_view word, const std::pair<const char*, Value> (&values)[Count]) {
  for (const auto& [name, value] : values) {
    if (same(word, name)) return value;
  }
  return std::nullopt;
}

inline std::optional<bool> parse_bool(std::string_view text) {
  return value_named<bool>(trimmed(text), {{"true", true}, {"1", true}, {"false", false}, {"0", false}});
}

/// Returns: a number of `unit`, or of another one whose letter stands behind it; nothing unless it is from `least` to 2^63 − 1.
template <std::size_t Count>
std::optional<std::uint64_t> parse_with_unit(std::string_view text, const std::pair<const char*, std::uint64_t> (&units)[Count],
                                             std::uint64_t unit, std::uint64_t least) {
  const auto named = value_named<std::uint64_t>(text.substr(text.size() - std::min<std::size_t>(1, text.size())), units);
  if (named) {
    unit = *named;
    text = trimmed(text.substr(0, text.size() - 1));
  }
  const auto number = parse_number(text, least, (~std::uint64_t{0} >> 1) / unit);
  return number ? std::optional(*number * unit) : std::nullopt;
}

/// Returns: a size in bytes; without a unit it is in kilobytes.
inline std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return parse_with_unit(text, {{"b", 1}, {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}}, 1 << 10, 1);
}

/// Returns: a number, of thousands, millions or milliards if k, m or g stands behind it; "infinite" is 2^31 − 1.
inline std::optional<std::uint64_t> parse_count(std::string_view text) {
  constexpr std::uint64_t infinite = (std::uint64_t{1} << 31) - 1;
  if (same(text, "infinite") || same(text, "infinity")) return infinite;
  return parse_with_unit(text, {{"k", 1'000}, {"m", 1'000'000}, {"g", 1'000'000'000}}, 1, 0);
}

}  // namespace TEFF_NAMESPACE::openmp
