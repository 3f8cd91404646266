// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/holder_sets.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::sim {

namespace {

/// The bits of word `index` that lie in the range.
std::uint64_t mask_of_word(unsigned index, place_range range) {
  const unsigned begin = index * 64;
  const unsigned first = std::max(range.first, begin) - begin;
  const unsigned end = std::min(range.end, begin + 64) - begin;
  const std::uint64_t below_end = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return below_end & (~std::uint64_t{0} << first);
}

}  // namespace

unsigned holder_set::count_in(place_range range, const overflow& large) const {
  unsigned found = 0;
  if (!is_large()) {
    for (unsigned i = 0; i < count_; ++i) found += range.contains(few_[i]) ? 1 : 0;
    return found;
  }
  const bits& set = large[set_];
  for (unsigned word = range.first / 64; word * 64 < range.end; ++word) {
    found += static_cast<unsigned>(std::popcount(set[word] & mask_of_word(word, range)));
  }
  return found;
}

void holder_set::become_large(overflow& large) {
  if (set_ == none) {
    set_ = static_cast<std::uint32_t>(large.size());
    large.emplace_back();
  }
  large[set_].fill(0);
  for (unsigned i = 0; i < count_; ++i) mark(large[set_], few_[i]);
}

void holder_set::remove_from_large(unsigned place, overflow& large) {
  bits& set = large[set_];
  set[place / 64] &= ~(std::uint64_t{1} << (place % 64));
  if (count_ > inline_capacity + 1) {
    --count_;
    return;
  }
  unsigned kept = 0;
  for_each(large, [&](unsigned each) { few_[kept++] = static_cast<std::uint16_t>(each); });
  --count_;
}

}  // namespace TEFF_NAMESPACE::sim
