// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace TEFF_NAMESPACE::fibers {

/// Returns: some circles without common members, `at_most` so many, each member needing the next and the last the first, of the
/// numbers below `count`. `needed_by`: the numbers that one needs.
///
/// Cost: a walk in depth first order.
std::vector<std::vector<std::size_t>> find_circles(std::size_t count,
                                                   const std::function<std::vector<std::size_t>(std::size_t)>& needed_by,
                                                   std::size_t at_most);

}  // namespace TEFF_NAMESPACE::fibers
