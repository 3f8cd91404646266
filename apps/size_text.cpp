// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/size_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace TEFF_NAMESPACE::apps {

namespace {

std::vector<std::string> key_names(const size_keys& keys) {
  std::vector<std::string> names;
  for (const number_key& each : keys.numbers) names.emplace_back(each.name);
  for (const decimal_key& each : keys.decimals) names.emplace_back(each.name);
  for (const word_key& each : keys.words) names.emplace_back(each.name);
  return names;
}

std::string set_number(const number_key& key, const std::string& value) {
  const auto number = whole_number(value);
  if (number && *number >= key.least && *number <= key.most) {
    *key.target = *number;
    return {};
  }
  return "size key " + std::string(key.name) + " cannot be '" + value + "'; allowed: whole numbers " + std::to_string(key.least) +
         " ... " + std::to_string(key.most) + key.reason;
}

std::string set_decimal(const decimal_key& key, const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::fixed);
  if (error == std::errc() && end == value.data() + value.size() && number >= key.least && number <= key.most) {
    *key.target = number;
    return {};
  }
  return "size key " + std::string(key.name) + " cannot be '" + value + "'; allowed: numbers " + text_of(key.least) + " ... " +
         text_of(key.most) + key.reason;
}

std::string set_word(const word_key& key, const std::string& value) {
  if (std::find(key.allowed.begin(), key.allowed.end(), value) == key.allowed.end())
    return unknown_name(("value of size key " + std::string(key.name)).c_str(), value, key.allowed);
  *key.target = value;
  return {};
}

std::string set_key(const std::string& key, const std::string& value, const size_keys& keys) {
  for (const number_key& each : keys.numbers) {
    if (key == each.name) return set_number(each, value);
  }
  for (const decimal_key& each : keys.decimals) {
    if (key == each.name) return set_decimal(each, value);
  }
  for (const word_key& each : keys.words) {
    if (key == each.name) return set_word(each, value);
  }
  return unknown_name("size key", key, key_names(keys));
}

std::string parse_pairs(std::string_view text, const size_keys& keys) {
  std::vector<std::string> seen;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      return "part '" + std::string(pair) + "' of the size has no value: write key=value, separated by commas";
    const std::string key(pair.substr(0, equals));
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) return "size key " + key + " is given twice";
    seen.push_back(key);
    if (std::string wrong = set_key(key, std::string(pair.substr(equals + 1)), keys); !wrong.empty()) return wrong;
    if (comma == std::string_view::npos) return {};
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool names_size_key(std::string_view text, std::string_view key) {
  const std::string pair = std::string(key) + "=";
  return text.starts_with(pair) || text.find("," + pair) != std::string_view::npos;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string text_of(double number) {
  char digits[400];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), number, std::chars_format::fixed).ptr};
}

std::string parse_size(std::string_view text, const std::vector<named_size>& names, const size_keys& keys) {
  for (const named_size& each : names) {
    if (text == each.name) return parse_pairs(each.text, keys);
  }
  if (text.find('=') != std::string_view::npos) return parse_pairs(text, keys);
  std::vector<std::string> allowed;
  for (const named_size& each : names) allowed.emplace_back(each.name);
  std::string pairs;
  for (const std::string& key : key_names(keys)) pairs += (pairs.empty() ? ", or " : ",") + key + "=...";
  return unknown_name("size", std::string(text), allowed) + pairs;
}

}  // namespace TEFF_NAMESPACE::apps
