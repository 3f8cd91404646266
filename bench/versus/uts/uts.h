// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unbalanced tree search: counts the nodes of a tree that random numbers describe. The size that is run unless --size says
/// otherwise is the published tree T1 (geometric, fixed shape, branching 4, depth 10, seed 19), whose numbers of nodes and leaves
/// are published, too.
#pragma once

#include "../common/harness.h"
#include "../common/kernels.h"

#include <algorithm>

namespace versus {

constexpr unsigned uts_children_at_most = 100;

/// What was found below a node, itself included.
struct tree_count {
  std::uint64_t nodes = 0, leaves = 0;
  std::uint64_t depth = 0;

  tree_count& operator+=(const tree_count& other) {
    nodes += other.nodes;
    leaves += other.leaves;
    depth = std::max(depth, other.depth);
    return *this;
  }
  bool operator==(const tree_count&) const = default;
};

struct tree_shape {
  unsigned branching, depth_limit;
};

struct tree_node {
  unsigned char state[20];
  unsigned depth;

  unsigned children(const tree_shape& shape) const {
    return versus_uts_children(state, depth, shape.branching, shape.depth_limit);
  }
  tree_node child(unsigned index) const {
    tree_node made;
    versus_uts_child(state, index, made.state);
    made.depth = depth + 1;
    return made;
  }
  /// What the node itself adds.
  tree_count own_count(unsigned children) const { return {1, children == 0 ? 1u : 0u, depth}; }
};

inline tree_count count_serially(const tree_node& from, const tree_shape& shape) {
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  for (unsigned i = 0; i < children; ++i) sum += count_serially(from.child(i), shape);
  return sum;
}

struct uts {
  static constexpr const char* name = "uts";
  static constexpr const char* unit = "node";

  std::uint64_t branching = 4, depth = 10, seed = 19;
  tree_count result;

  tree_shape shape() const { return {static_cast<unsigned>(branching), static_cast<unsigned>(depth)}; }
  tree_node root() const {
    tree_node made;
    versus_uts_root(static_cast<std::uint32_t>(seed), made.state);
    made.depth = 0;
    return made;
  }

  std::vector<number> numbers() { return {{"b", &branching, 1, 20}, {"d", &depth, 0, 20}, {"r", &seed, 0, 0xFFFFFFFFu}}; }
  void make_small() { depth = 6; }
  void prepare() { result = {}; }
  std::uint64_t units() const { return result.nodes; }
  std::uint64_t data_bytes() const { return 0; }
  std::string verify() const {
    const bool is_t1 = branching == 4 && depth == 10 && seed == 19;
    const tree_count right = is_t1 ? tree_count{4'130'071, 3'305'118, 10} : count_serially(root(), shape());
    if (result == right) return "";
    return std::to_string(result.nodes) + " nodes, " + std::to_string(result.leaves) + " leaves, depth " +
           std::to_string(result.depth) + " instead of " + std::to_string(right.nodes) + ", " + std::to_string(right.leaves) +
           ", " + std::to_string(right.depth);
  }
};

}  // namespace versus
