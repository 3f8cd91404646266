// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Villages and their hospitals, step by step. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* health_keys =
    "levels=1...8 (of hospitals), cities=1...1000 (below each but the lowest ones), steps=1...100000 (of time), "
    "cutoff=none|manual (tasks for all villages or for those of two levels)";

std::vector<named_size> health_sizes();
std::unique_ptr<workload> make_health();

}  // namespace TEFF_NAMESPACE::apps
