// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many ways there are to put n queens on a board of n x n, without a cut-off: each queen that can be put is a task.
#pragma once

#include "../common/harness.h"
#include "../common/kernels.h"

namespace versus {

constexpr unsigned queens_at_most = 16;

/// Where the queens of the first rows stand.
struct board {
  signed char rows[queens_at_most];
};

/// The boards with one more queen.
class next_boards {
 public:
  next_boards(const board& from, unsigned row, unsigned n)
      : from_(from), row_(row), count_(versus_queens_places(from.rows, row, n, places_)) {}
  unsigned size() const { return count_; }
  board operator[](unsigned i) const {
    board with = from_;
    with.rows[row_] = places_[i];
    return with;
  }

 private:
  const board& from_;
  const unsigned row_;
  signed char places_[queens_at_most];
  const unsigned count_;
};

struct nqueens {
  static constexpr const char* name = "nqueens";
  static constexpr const char* unit = "board";

  std::uint64_t n = 12;
  std::uint64_t result = 0;

  unsigned queens() const { return static_cast<unsigned>(n); }
  std::vector<number> numbers() { return {{"n", &n, 1, 14}}; }
  void make_small() { n = 8; }
  void prepare() { result = 0; }
  /// Boards without a queen that attacks another one, the empty one included.
  std::uint64_t units() const {
    constexpr std::uint64_t boards[] = {1, 2, 3, 6, 17, 54, 153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553};
    return boards[n];
  }
  std::uint64_t data_bytes() const { return 0; }
  std::string verify() const {
    constexpr std::uint64_t solutions[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};
    if (result == solutions[n]) return "";
    return "n=" + std::to_string(n) + " gave " + std::to_string(result) + " solutions instead of " + std::to_string(solutions[n]);
  }
};

}  // namespace versus
