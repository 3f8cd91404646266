// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two sorted parts that are to become one.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// Sorted integers. Owns nothing.
struct sorted_part {
  const std::int64_t* begin;
  const std::int64_t* end;
  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

struct merge_of_two {
  sorted_part one, other;
  std::int64_t* to;
  std::size_t size() const { return one.size() + other.size(); }
};

/// Effect: merges, on one worker. Cost: a comparison for each integer.
void merge_serially(const merge_of_two& all);

struct two_merges {
  merge_of_two low, high;
};
/// Returns: two merges that together are this one: the greater part is cut in its middle, the other one where that integer would
/// stand. Pre: at least two integers.
two_merges divide_merge(const merge_of_two& all);

}  // namespace TEFF_NAMESPACE::apps
