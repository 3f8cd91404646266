// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/text.h"

#include <algorithm>
#include <cstddef>

namespace teff::report {

std::string format_version() { return format("{}.{}.{}", FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100); }

std::string three_digits(double value) { return format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

time_unit unit_for(double seconds) {
  if (seconds < 999.5e-9) return {"ns", 1e9};
  if (seconds < 999.5e-6) return {"us", 1e6};
  if (seconds < 999.5e-3) return {"ms", 1e3};
  return {"s", 1};
}

std::string duration(double seconds) {
  const time_unit unit = unit_for(seconds);
  return three_digits(seconds * unit.per_second) + " " + unit.name;
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

namespace {

/// Characters, not bytes: those that follow the first byte of a UTF-8 character do not count.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string columns(const std::vector<std::vector<std::string>>& rows, const std::vector<align>& alignment,
                    const std::string& gap) {
  std::vector<std::size_t> widths(alignment.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += (i > 0 ? gap : "") + (alignment[i] == align::left ? row[i] + padding : padding + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace teff::report
