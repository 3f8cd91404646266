// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/numbers.h"

#include "report/text.h"

#include <algorithm>
#include <charconv>

namespace teff::cli {

std::string parse_number(const number_option& option, const std::string& text, std::uint64_t& value) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= option.least && number <= option.most) {
    value = number;
    return {};
  }
  return report::format("{} cannot be '{}'; allowed: whole numbers {} ... {}", option.name, text, option.least, option.most);
}

std::string parse_list(const std::string& option, const std::string& text, std::vector<std::string>& elements) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string element = text.substr(start, comma - start);
    if (element.empty())
      return report::format("{} '{}' has an empty element: write elements with one comma between two", option, text);
    if (std::find(elements.begin(), elements.end(), element) != elements.end())
      return report::format("{} '{}' has '{}' twice", option, text, element);
    elements.push_back(element);
    start = comma + 1;
  }
  return {};
}

}  // namespace teff::cli
