// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/words.h"

#include <algorithm>

namespace teff::cli {

std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(units) && bytes > 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + units[unit];
}

std::string ranges_text(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
  }
  return text;
}

std::string printable(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text;
}

std::string counting_text(os::counting answer) {
  const std::string cannot = "cannot be counted: ";
  switch (answer) {
    case os::counting::works:
      return "can be counted";
    case os::counting::forbidden:
      return cannot + "not permitted";
    case os::counting::no_counter:
      return cannot + "no such counter here";
    case os::counting::no_support:
      return cannot + "not in this kernel";
    case os::counting::busy:
      return cannot + "the counter is taken";
    case os::counting::failed:
      break;
  }
  return cannot + "it fails";
}

}  // namespace teff::cli
