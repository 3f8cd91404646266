// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether what threads saw of a shared object can be explained by one order of their calls.
#pragma once

#include "base/namespace.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::testing_support {

/// One call of a history. What the numbers mean is the model's matter.
struct call {
  int what = 0;
  int argument = 0;
  int result = 0;
  std::uint32_t begin = 0;  ///< moments of one clock
  std::uint32_t end = 0;

  friend std::ostream& operator<<(std::ostream& text, const call& made) {
    return text << '[' << made.begin << ',' << made.end << "] " << made.what << '(' << made.argument << ") = " << made.result;
  }
};

/// Source: Wing & Gong 1993, "Testing and verifying concurrent objects": try every order that keeps calls in order that did not
/// overlap; Lowe 2017: what was tried in vain from the same state is not tried again.
///
/// A model is a copyable, ordered sequential object: `bool apply(const call&)` makes the call and answers whether its result is
/// the one that was seen. Cost: exponential in the number of calls that overlap.
template <class Model>
class linearizability {
 public:
  static constexpr std::size_t calls_at_most = 64;

  explicit linearizability(std::vector<call> history) : history_(std::move(history)) {}

  /// Returns: whether some order of the calls explains all results, beginning at `initial`. Pre: at most 64 calls.
  bool holds(const Model& initial) { return explains(initial, {}); }

 private:
  using done_calls = std::bitset<calls_at_most>;

  bool explains(const Model& state, done_calls done) {
    if (done.count() == history_.size()) return true;
    if (!tried_.emplace(done.to_ullong(), state).second) return false;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (done[i] || !may_be_next(i, done)) continue;
      Model after = state;
      if (!after.apply(history_[i])) continue;
      if (explains(after, done_calls(done).set(i))) return true;
    }
    return false;
  }

  /// Whether no call that is not done ended before this one began.
  bool may_be_next(std::size_t candidate, const done_calls& done) const {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (!done[i] && history_[i].end < history_[candidate].begin) return false;
    }
    return true;
  }

  const std::vector<call> history_;
  std::set<std::pair<std::uint64_t, Model>> tried_;
};

template <class Model>
bool is_linearizable(std::vector<call> history, const Model& initial = {}) {
  return linearizability<Model>(std::move(history)).holds(initial);
}

}  // namespace TEFF_NAMESPACE::testing_support
