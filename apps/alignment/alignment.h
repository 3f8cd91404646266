// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each of some proteins beside each other one, a task for each pair. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* alignment_keys =
    "n=2...2000 (sequences), length=2...20000 (of a made one, on average), by=single|for (who makes the tasks)";

std::vector<named_size> alignment_sizes();
std::unique_ptr<workload> make_alignment();

}  // namespace TEFF_NAMESPACE::apps
