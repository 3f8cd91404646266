// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LU factorisation of a sparse matrix of blocks. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* sparselu_keys =
    "n=1...400 (blocks in a row), m=1...1000 (numbers in a row of a block), by=single|for (who makes the tasks)";

std::vector<named_size> sparselu_sizes();
std::unique_ptr<workload> make_sparselu();

}  // namespace TEFF_NAMESPACE::apps
