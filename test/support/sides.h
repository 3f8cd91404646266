// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a test's body on either side of the seam.
#pragma once

#include "test/support/workers.h"

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::testing_support {

/// Effect: calls the body; in simulation inside a run, after which no memory of the simulated system may be left. Natively that
/// is the address sanitizer's matter.
inline void on_this_side(const std::function<void()>& body) {
#ifdef TEFF_SIMULATED
  const sim::outcome ended = sim::simulate({}, body);
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(ended.leftover_blocks, 0u);
#else
  body();
#endif
}

}  // namespace TEFF_NAMESPACE::testing_support
