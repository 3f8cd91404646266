// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why nothing happens: which task waits for what, who holds it, since when, and in which circle.
#pragma once

#include "fiber/situation.h"

#include <string>

namespace TEFF_NAMESPACE::fibers {

/// Returns: the explanation, line by line; empty if nobody waits and nobody runs.
///
/// Idea: fibers are vertices; one that waits for something held points to the holder's, one that waits for children to each
///   child's. A walk in depth first order finds circles if there are any. Cost: O(n log n) in the fibers.
std::string explain(situation seen);

}  // namespace TEFF_NAMESPACE::fibers
