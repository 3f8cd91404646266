// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cells on a floor of the least area, by branch and bound. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* floorplan_keys = "n=1...20 (cells), cutoff=none|manual (tasks for all cells or for the first 5)";

std::vector<named_size> floorplan_sizes();
std::unique_ptr<workload> make_floorplan();

}  // namespace TEFF_NAMESPACE::apps
