// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is worth most in a knapsack, by branch and bound. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* knapsack_keys =
    "n=1...200 (items), spread=0...1000 (by how much an item's value may differ from its weight: the less, the longer the "
    "search), "
    "cutoff=none|manual (tasks for all items or for the first 24)";

std::vector<named_size> knapsack_sizes();
std::unique_ptr<workload> make_knapsack();

struct knapsack_item {
  std::int32_t weight, value;
};
/// Returns: the greatest value of items that together weigh no more than `capacity`, by dynamic programming.
std::int64_t knapsack_optimum(const std::vector<knapsack_item>& items, std::int64_t capacity);

}  // namespace TEFF_NAMESPACE::apps
