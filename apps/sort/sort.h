// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merge sort whose merges are parallel, too. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* sort_keys =
    "n=0...1000000000 (integers), threshold=4...1000000000 (largest part sorted or merged without tasks)";

std::vector<named_size> sort_sizes();
std::unique_ptr<workload> make_sort();

}  // namespace TEFF_NAMESPACE::apps
