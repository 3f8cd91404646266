// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/quicksort/sorting.h"

#include "apps/simulated_work.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::size_t ninther_from = 1000;

std::int64_t median(std::int64_t a, std::int64_t b, std::int64_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// The middle one of three elements, of nine in large parts: near the middle for random, sorted and reversed input.
std::int64_t pivot_of(const part& some) {
  const std::int64_t *first = some.begin, *last = some.end - 1, *middle = first + (last - first) / 2;
  if (some.size() < ninther_from) return median(*first, *middle, *last);
  const std::ptrdiff_t step = (last - first) / 8;
  return median(median(first[0], first[step], first[2 * step]), median(middle[-step], middle[0], middle[step]),
                median(last[-2 * step], last[-step], last[0]));
}

std::uint64_t comparisons_to_sort(std::size_t count) { return count * static_cast<std::uint64_t>(std::bit_width(count)); }

}  // namespace

part whole(std::int64_t* data, std::size_t count) {
  return {data, data + count, 2 * static_cast<unsigned>(std::bit_width(count))};
}

two_parts partition(part cut) {
  const std::int64_t pivot = pivot_of(cut);
  std::int64_t* const equal = std::partition(cut.begin, cut.end, [pivot](std::int64_t each) { return each < pivot; });
  std::int64_t* const greater = std::partition(equal, cut.end, [pivot](std::int64_t each) { return each == pivot; });
  simulated_work(cut.size() + static_cast<std::size_t>(cut.end - equal));
  return {{cut.begin, equal, cut.depth - 1}, {greater, cut.end, cut.depth - 1}};
}

void sort_rest(part rest) {
  simulated_work(comparisons_to_sort(rest.size()));
  if (rest.depth > 0) {
    std::sort(rest.begin, rest.end);
    return;
  }
  std::make_heap(rest.begin, rest.end);
  std::sort_heap(rest.begin, rest.end);
}

}  // namespace TEFF_NAMESPACE::apps
