// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The product of two matrices by Strassen's recursion. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* strassen_keys =
    "n=1...16384 (rows, a power of two), base=1...16384 (rows of a part multiplied directly), "
    "cutoff=none|manual (tasks in all levels or in two)";

std::vector<named_size> strassen_sizes();
std::unique_ptr<workload> make_strassen();

}  // namespace TEFF_NAMESPACE::apps
