// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parallel quicksort: Hoffmann & Rauber 2008, section 4.2. README.md says what it does.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* quicksort_keys =
    "n=0...1000000000 (integers), threshold=1...1000000000 (largest part sorted without tasks), "
    "kind=random|sorted|reversed|equal (of the made input)";

std::vector<named_size> quicksort_sizes();
std::unique_ptr<workload> make_quicksort();

}  // namespace TEFF_NAMESPACE::apps
