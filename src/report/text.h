// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Text for people: the one place that knows the formatting library.
#pragma once

#include "base/grouped.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace teff::report {

using fmt::format;
using teff::grouped;

/// Returns: the version of the formatting library.
std::string format_version();

/// Returns: three digits, or as many as there are before the point: "51.2", "1234".
std::string three_digits(double value);

struct time_unit {
  const char* name;
  double per_second;
};
/// Returns: the unit in which so many seconds are less than a thousand, and one at least where there is such a unit.
time_unit unit_for(double seconds);
/// Returns: three digits and a unit: "51.2 ms".
std::string duration(double seconds);
/// Returns: "150,024 tasks": the noun gets its s.
std::string counted(std::uint64_t number, const std::string& noun);
/// Returns: the words with commas between.
std::string joined(const std::vector<std::string>& words);

enum class align { left, right };

/// Returns: rows of equally wide columns, the first row being the head; the gap between them, no spaces at the end of a line.
std::string columns(const std::vector<std::vector<std::string>>& rows, const std::vector<align>& alignment,
                    const std::string& gap = "  ");

}  // namespace teff::report
