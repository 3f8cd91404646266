// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A cost of the simulated machine that takes one value after the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace teff::cli {

inline constexpr const char* sweep_forms = "COST=FROM..TO, COST=FROM..TO:STEP or COST=A,B,...";
/// Of a range without a step, if there are so many whole numbers in it.
inline constexpr std::size_t sweep_values = 10;
inline constexpr std::size_t sweep_values_at_most = 100;

struct sweep_plan {
  std::string cost;
  std::vector<std::string> values;  ///< as --machine takes them, two at least, in the order given; a range rises
};

/// Returns: an empty text, or a sentence. Whether the machine has such a cost, and it may have such a value, is asked of the
/// machine.
std::string parse_sweep(const std::string& text, sweep_plan& made);

}  // namespace teff::cli
