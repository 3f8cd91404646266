// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The synthetic algorithm: Korch & Rauber 2002, section 7.2. README.md says what it does.
#pragma once

#include "apps/workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* synthetic_keys = "k=1...45 (initial tasks), f=0...1000000 (time factor)";

std::vector<named_size> synthetic_sizes();
std::unique_ptr<workload> make_synthetic();

/// Returns: the number of tasks of P(k), by the recurrence. Pre: k <= 45.
std::uint64_t synthetic_task_count(std::uint64_t k);

}  // namespace TEFF_NAMESPACE::apps
