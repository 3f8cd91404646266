// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fibonacci numbers by tasks that are waited for. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* fib_keys =
    "n=0...50 (which number), by=group|future|join (how a call waits for its two tasks), "
    "cutoff=none|manual (tasks for all calls, or down to a depth of 10)";

std::vector<named_size> fib_sizes();
std::unique_ptr<workload> make_fib();

}  // namespace TEFF_NAMESPACE::apps
