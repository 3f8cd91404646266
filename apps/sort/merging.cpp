// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sort/merging.h"

#include <algorithm>

namespace TEFF_NAMESPACE::apps {

void merge_serially(const merge_of_two& all) { std::merge(all.one.begin, all.one.end, all.other.begin, all.other.end, all.to); }

two_merges divide_merge(const merge_of_two& all) {
  const bool first_is_greater = all.one.size() >= all.other.size();
  const sorted_part &greater = first_is_greater ? all.one : all.other, &lesser = first_is_greater ? all.other : all.one;
  const std::int64_t* const middle = greater.begin + greater.size() / 2;
  const std::int64_t* const place = std::lower_bound(lesser.begin, lesser.end, *middle);
  const merge_of_two low{{greater.begin, middle}, {lesser.begin, place}, all.to};
  return {low, {{middle, greater.end}, {place, lesser.end}, all.to + low.size()}};
}

}  // namespace TEFF_NAMESPACE::apps
