// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers such as 5 or 0.5 in texts that people write. (std::from_chars brings the mathematical library along, which the OpenMP
/// drop-in would load into each process.)
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace TEFF_NAMESPACE {

/// Returns: the number, if that is all of the text: a minus or none, digits, a point or none. Up to 15 digits the nearest one
/// that there is; of more than 18 the last ones are not looked at.
constexpr std::optional<double> parse_decimal(std::string_view text) {
  constexpr std::uint64_t room = 100'000'000'000'000'000;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t digits = 0;
  double scale = 1;  // a power of ten, exact up to 22 of them
  bool any = false, behind_point = false, above = false;
  for (const char each : text) {
    const bool is_digit = each >= '0' && each <= '9';
    if (!is_digit && (each != '.' || behind_point)) return std::nullopt;
    behind_point |= !is_digit;
    any |= is_digit;
    if (!is_digit) continue;
    if (digits < room) {
      digits = digits * 10 + static_cast<unsigned>(each - '0');
      if (behind_point) scale *= 10;
    } else if (!behind_point) {
      scale *= 10;
      above = true;
    }
  }
  if (!any) return std::nullopt;
  const double value = above ? static_cast<double>(digits) * scale : static_cast<double>(digits) / scale;
  return negative ? -value : value;
}

}  // namespace TEFF_NAMESPACE
