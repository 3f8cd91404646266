// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the texts of what run queues are told are read.
#pragma once

#include "pool/parts/choose.h"
#include "pool/settings.h"

namespace TEFF_NAMESPACE::pool::parts {

constexpr std::uint32_t branching_at_least = 2;
constexpr std::uint32_t branching_at_most = 1024;

inline bool parse_branching(settings& set, std::string_view text) {
  return choose(set.branching, text, branching_at_least, branching_at_most);
}

constexpr double transfer_at_least = 0.001, transfer_at_most = 1000;

inline bool parse_transfer(settings& set, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  // No comparison holds of a value that is no number.
  if (error != std::errc() || end != text.data() + text.size() || !(value >= transfer_at_least && value <= transfer_at_most))
    return false;
  set.transfer = value;
  return true;
}

inline bool parse_blocking(settings& set, std::string_view text) {
  return choose(set.blocking, text, {{"static", blocking_policy::at_leaf}, {"dynamic", blocking_policy::dynamic}});
}

inline bool parse_entry(settings& set, std::string_view text) {
  return choose(set.entry, text, {{"root", entry_queue::root}, {"leaf", entry_queue::leaf}});
}

inline bool parse_assign(settings& set, std::string_view text) {
  return choose(set.assign, text,
                {{"turn", assignment::turn}, {"random", assignment::random}, {"shortest", assignment::shortest}});
}

inline bool parse_per_batch(settings& set, std::string_view text) {
  return choose(set.per_batch, text, {{"no", false}, {"yes", true}});
}

inline bool parse_climb(settings& set, std::string_view text) {
  return choose(set.climb, text, {{"free", climb_cost::free}, {"charged", climb_cost::charged}});
}

constexpr std::uint32_t units_at_most = 1'000'000'000;

inline bool parse_access(settings& set, std::string_view text) { return choose(set.access, text, 0, units_at_most); }

inline bool parse_delay(settings& set, std::string_view text) { return choose(set.delay, text, 0, units_at_most); }

inline bool parse_reading(settings& set, std::string_view text) {
  return choose(set.reading, text, {{"held", access_reading::held}, {"outside", access_reading::outside}});
}

}  // namespace TEFF_NAMESPACE::pool::parts
