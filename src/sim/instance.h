// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace teff::inline TEFF_PLATFORM::sim {

class simulator;

/// The simulator of this process, made at the first question. What it keeps between runs: stacks, tables, memory.
simulator& instance();

}  // namespace teff::inline TEFF_PLATFORM::sim
