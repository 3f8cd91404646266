// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Whether the medians of two records may differ by chance alone: by no more than 15 %, or either lies within the middle half of
/// the other's runs. Simulated times have no noise, but costs that are rounded: 5 %. Pre: both have a median.
bool is_tie(const record& a, const record& b);

/// Returns: for each number of workers which pool and manager is best and why, a sentence each. What a sentence claims it
/// supports by a counter and its difference; where there is none, it says "no difference beyond noise".
std::vector<std::string> advice(const record_set& set);

}  // namespace teff::report
