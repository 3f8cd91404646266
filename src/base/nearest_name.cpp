// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace teff::inline TEFF_PLATFORM {

namespace {

/// Edit distance: insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] != b[j - 1]), above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string unknown_name_sentence(std::string_view kind, std::string_view name, std::span<const std::string> allowed) {
  std::string sentence = "unknown " + std::string(kind) + " '" + std::string(name) + "'";
  const auto nearest = std::min_element(allowed.begin(), allowed.end(),
                                        [&](const auto& a, const auto& b) { return distance(name, a) < distance(name, b); });
  if (nearest != allowed.end() && distance(name, *nearest) <= std::max<std::size_t>(1, nearest->size() / 2))
    sentence += "; did you mean '" + *nearest + "'? allowed: ";
  else sentence += "; allowed: ";
  for (std::size_t i = 0; i < allowed.size(); ++i) sentence += (i > 0 ? ", " : "") + allowed[i];
  return sentence;
}

}  // namespace teff::inline TEFF_PLATFORM
