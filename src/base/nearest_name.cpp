// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/nearest_name.h"

#include "base/utf8.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace TEFF_NAMESPACE {

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

/// How far a name may be from what was meant.
std::size_t tolerance(const std::string& meant) { return std::max<std::size_t>(1, meant.size() / 2); }

/// Returns: the first of the nearest ones; nullptr if none is near.
const std::string* nearest(std::string_view name, std::span<const std::string> allowed) {
  const std::string* found = nullptr;
  std::size_t least = 0;
  if (name.empty()) return found;  // as near to every short name
  for (const std::string& each : allowed) {
    // The distance is never less than the difference in length: a name of megabytes costs nothing.
    if (name.size() > each.size() + tolerance(each)) continue;
    const std::size_t far = distance(name, each);
    if (far > tolerance(each) || (found != nullptr && far >= least)) continue;
    found = &each;
    least = far;
  }
  return found;
}

}  // namespace

std::string unknown_name_sentence(std::string_view kind, std::string_view name, std::span<const std::string> allowed) {
  std::string sentence = "unknown " + std::string(kind) + " '" + quotable(name) + "'";
  const std::string* const meant = nearest(name, allowed);
  if (meant != nullptr) sentence += "; did you mean '" + *meant + "'? allowed: ";
  else sentence += "; allowed: ";
  for (std::size_t i = 0; i < allowed.size(); ++i) sentence += (i > 0 ? ", " : "") + allowed[i];
  return sentence;
}

}  // namespace TEFF_NAMESPACE
