// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/run_queue.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace TEFF_NAMESPACE::pool::parts {

/// How run queues are arranged.
enum class organisation { centralised, distributed, hierarchical };

/// Run queues, of which each worker has one: one for all, one each, or the leaves of a tree.
///
/// Source: Dandamudi & Cheng 1996, §3, Figures 1, 2: with a branching factor of B a leaf serves B workers, and each further
///   queue B queues. Differs: where the numbers do not divide, the last queue of a level serves the rest.
/// Invariants: the queues of a level serve consecutive workers; leaves have the numbers 0 … leaves − 1.
class run_queue_tree {
 public:
  /// A tree of two workers a leaf has at most so many levels.
  static constexpr unsigned levels_at_most = 11;

  run_queue_tree(organisation shape, unsigned workers, unsigned branching) {
    const unsigned per_leaf = shape == organisation::centralised ? workers : shape == organisation::distributed ? 1 : branching;
    for (unsigned first = 0; first < workers; first += per_leaf) extents_.push_back({first, std::min(workers, first + per_leaf)});
    leaves_ = static_cast<unsigned>(extents_.size());
    if (shape == organisation::hierarchical) plan_levels(branching);
    build(workers <= platform::usable_processors());
    for (unsigned worker = 0; worker < workers; ++worker) leaf_of_.push_back(worker / per_leaf);
  }

  run_queue& leaf_of(unsigned worker) { return *queues_[leaf_of_[worker]]; }
  unsigned leaves() const { return leaves_; }
  run_queue& operator[](unsigned number) { return *queues_[number]; }
  unsigned size() const { return static_cast<unsigned>(queues_.size()); }
  /// The last one, of a tree.
  run_queue& root() { return *queues_.back(); }

  template <class Value>
  std::uint64_t sum(Value value) const {
    std::uint64_t total = 0;
    for (const run_queue* each : queues_) total += value(*each);
    return total;
  }

 private:
  static constexpr unsigned nobody = ~0u;
  struct extent {
    unsigned first, end;
    unsigned parent = nobody;
  };

  void plan_levels(unsigned branching) {
    for (std::size_t level = 0, end = extents_.size(); end - level > 1; end = extents_.size()) {
      for (std::size_t first = level; first < end; first += branching) {
        const std::size_t last = std::min(end, first + branching) - 1;
        for (std::size_t each = first; each <= last; ++each) extents_[each].parent = static_cast<unsigned>(extents_.size());
        extents_.push_back({extents_[first].first, extents_[last].end});
      }
      level = end;
    }
  }

  void build(bool in_line) {
    queues_.resize(extents_.size());
    for (auto number = static_cast<unsigned>(extents_.size()); number-- > 0;) {
      const extent& of = extents_[number];
      queues_[number] =
          &made_.emplace_back(of.parent != nobody ? queues_[of.parent] : nullptr, number, of.first, of.end, in_line);
    }
  }

  std::vector<extent> extents_;
  unsigned leaves_ = 0;
  std::deque<run_queue> made_;
  std::vector<run_queue*> queues_;
  std::vector<unsigned> leaf_of_;
};

}  // namespace TEFF_NAMESPACE::pool::parts
