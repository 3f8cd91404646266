// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One step of quicksort, shared by the serial version and the tasks.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// A part of the array: [begin, end). `depth` is how many more partitions may cut it; then it is sorted by heap sort.
struct part {
  std::int64_t* begin;
  std::int64_t* end;
  unsigned depth;

  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

struct two_parts {
  part low, high;
};

/// Returns: the whole array as a part, with a depth that random input does not use up.
part whole(std::int64_t* data, std::size_t count);

/// Effect: moves what is smaller than a pivot to the front and what is greater to the back; what is equal to it stays between
/// them, done. Returns: front and back, both smaller than the part. Pre: not empty. Cost: 1 to 2 passes.
two_parts partition(part whole_part);

/// Effect: sorts a part that is to be cut no further. Cost: O(n log n), whatever it holds.
void sort_rest(part rest);

/// Whether a part is to be cut; else sort_rest takes it.
inline bool is_to_be_cut(const part& some, std::size_t threshold) { return some.size() > threshold && some.depth > 0; }

}  // namespace TEFF_NAMESPACE::apps
