// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

namespace teff::report {

/// An axis: where in a drawing a value stands.
class scale {
 public:
  enum class kind { linear, logarithmic };

  /// The value `least` stands at `from`, `most` at `to`; if they are equal, in the middle. Pre: least <= most; logarithmic:
  /// 0 < least.
  scale(kind how, double least, double most, double from, double to);

  double place(double value) const;
  /// Returns: round values within the range, no more than that many; logarithmic: powers of two. Pre: at_most >= 2.
  std::vector<double> ticks(std::size_t at_most) const;

  kind how() const { return how_; }
  double least() const { return least_; }
  double most() const { return most_; }
  double from() const { return from_; }
  double to() const { return to_; }

 private:
  double evenly(double value) const;

  kind how_;
  double least_, most_, from_, to_;
};

}  // namespace teff::report
