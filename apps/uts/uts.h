// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The unbalanced tree search. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* uts_keys =
    "tree=T1|T1L|T3 (a published one), depth=0...20 (levels of a geometric tree; 0: as published), by=put|group|loop (how "
    "children are tasks)";

std::vector<named_size> uts_sizes();
std::unique_ptr<workload> make_uts();

/// What is known of a tree.
struct uts_counts {
  std::uint64_t nodes = 0, leaves = 0, depth = 0;
  bool operator==(const uts_counts&) const = default;
};
/// Returns: what is published about T1, T1L and T3; zeros for another name.
uts_counts uts_published(const std::string& tree);

}  // namespace TEFF_NAMESPACE::apps
