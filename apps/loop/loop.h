// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parallel loops, one behind the other. README.md says what they measure.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* loop_keys =
    "n=0...100000000 (iterations of a loop), work=0...1000000 (units of time that one takes), shape=even|ramp (all the same, or "
    "from "
    "nothing to twice as much), sweeps=1...1000000 (loops), by=for|reduce (parallel_for over an array, or parallel_reduce)";

std::vector<named_size> loop_sizes();
std::unique_ptr<workload> make_loop();

}  // namespace TEFF_NAMESPACE::apps
