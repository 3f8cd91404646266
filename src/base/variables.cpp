// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/variables.h"

#include "base/decimal.h"
#include "base/nearest_name.h"

#include <algorithm>

/// The C library's.
extern "C" char** environ;

namespace TEFF_NAMESPACE {

variables teff_variables() {
  variables found;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view text = *each;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("TEFF_") || equals == std::string_view::npos) continue;
    found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

std::string complaint_about_variable(std::string_view name) {
  const std::vector<std::string> names(std::begin(variable_names), std::end(variable_names));
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  return unknown_name_sentence("environment variable", name, names) + "; it has no effect";
}

std::vector<std::string> take_list(std::string_view value) {
  std::vector<std::string> parts;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    parts.emplace_back(value.substr(0, comma));
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return parts;
}

std::string take_flag(bool& flag, const std::string& value) {
  if (value != "0" && value != "1") return "cannot be '" + value + "'; allowed: 0, 1";
  flag = value == "1";
  return {};
}

std::string take_name(std::string& target, const char* kind, const std::string& value, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value) == names.end())
    return "asks for an " + unknown_name_sentence(kind, value, names);
  target = value;
  return {};
}

std::string take_wait(wait_mode& mode, const std::string& value) {
  static constexpr std::pair<const char*, wait_mode> modes[] = {
      {"latency", wait_mode::latency}, {"balanced", wait_mode::balanced}, {"power", wait_mode::power}};
  std::vector<std::string> names;
  for (const auto& [name, meant] : modes) {
    if (value == name) mode = meant;
    names.emplace_back(name);
  }
  std::string unused;
  return take_name(unused, "way to wait", value, names);
}

std::string take_watchdog(std::uint64_t& ns, const std::string& value) {
  constexpr double least = 0.001, most = 1'000'000;
  const auto seconds = parse_decimal(value);
  if (!seconds || *seconds < least || *seconds > most)
    return "cannot be '" + value + "'; allowed: seconds from 0.001 to 1000000, as 5 or 0.5";
  ns = static_cast<std::uint64_t>(*seconds * 1e9);
  return {};
}

}  // namespace TEFF_NAMESPACE
