// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::sim {

class simulator;

/// The simulator of this process, made at the first question. What it keeps between runs: stacks, tables, memory.
simulator& instance();

}  // namespace TEFF_NAMESPACE::sim
