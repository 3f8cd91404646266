// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Records that differ in one cost of the simulated machine: a table of values against pools, which one is best where, a
/// drawing. Pre of all: the set has a sweep.
#pragma once

#include "report/record.h"
#include "report/table.h"

#include <string>
#include <vector>

namespace teff::report {

/// The records of one number of workers as a square.
struct sweep_square {
  unsigned workers_asked = 0;
  std::vector<double> values;        ///< of the cost, rising: the rows
  std::vector<std::string> names;    ///< pool with manager: the columns
  std::vector<const record*> cells;  ///< row by row; borrowed from the set; nullptr: there is none, or it has no time

  const record* at(std::size_t row, std::size_t column) const { return cells[row * names.size() + column]; }
  /// Returns: the fastest of the row, the first of equal ones; nullptr if none has a time.
  const record* best_of_row(std::size_t row) const;
};

/// Returns: one square for each number of workers, the fewest first.
std::vector<sweep_square> sweep_squares(const record_set& set);
std::vector<sweep_square> sweep_squares(record_set&& set) = delete;

/// Returns: the heads and lines of the square: the value, then for each name the median and, if it is known, its spread. The best
/// of a row has a star, and what is no different beyond noise an equals sign.
std::vector<std::vector<cell>> sweep_lines(const record_set& set, const sweep_square& of);
/// Returns: what the square is about, in a line.
std::string sweep_heading(const record_set& set, const sweep_square& of);

std::string sweep_table(const record_set& set);

/// Returns: for each number of workers what is best at which values, and how much longer each takes at the last value than at the
/// first, or that the value made no difference.
std::vector<std::string> sweep_sentences(const record_set& set);

/// Returns: figure elements of median times against values.
std::string sweep_figures(const record_set& set);

}  // namespace teff::report
