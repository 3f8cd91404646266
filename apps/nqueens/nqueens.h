// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queens on a board, by a task for each that stands. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* nqueens_keys =
    "n=1...15 (size of the board), by=group|reduce (how a task waits for those below it), "
    "cutoff=none|manual (tasks for all queens, or for those in the first three rows)";

std::vector<named_size> nqueens_sizes();
std::unique_ptr<workload> make_nqueens();

/// What is known of a board: solutions, and placements of 0, 1, 2 … queens in the first rows of which none threatens another.
struct nqueens_facts {
  std::uint64_t solutions, placements;
};
/// Pre: 1 <= n <= 15.
nqueens_facts nqueens_known(std::uint64_t n);

}  // namespace TEFF_NAMESPACE::apps
