// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pools against memory managers: what a long table says in a square.
#pragma once

#include "report/record.h"
#include "report/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace teff::report {

/// What stands where there is nothing.
inline constexpr const char* nothing = "-";

/// The median times on one number of workers: a row for each pool, a column for each manager.
struct matrix {
  unsigned workers_asked = 0;
  bool simulated = false;
  std::vector<std::string> pools, memories;  ///< in the order of the records
  std::vector<const record*> cells;          ///< row by row; borrowed from the set; nullptr: there is none

  const record* at(std::size_t row, std::size_t column) const { return cells[row * memories.size() + column]; }
  /// Returns: nothing if there is no record or its result was wrong.
  std::optional<double> seconds(std::size_t row, std::size_t column) const;
  /// Returns: the column of the shortest time (the first of equal ones); nothing if the row has no time.
  std::optional<std::size_t> best_of_row(std::size_t row) const;
  /// Returns: the shortest time of all.
  std::optional<double> best() const;
  /// Returns: the one unit for all times: that of the best, or a larger one if the longest had more than five digits in it.
  time_unit unit() const;
  /// Returns: the median of the column; nothing if a pool has no time there: it would compare other pools than its neighbours'.
  std::optional<double> over_pools(std::size_t column) const;
  /// Returns: the column whose median over the pools is shortest.
  std::optional<std::size_t> best_over_pools() const;
};

/// Returns: one matrix for each number of workers, the fewest first; none unless there are several pools and several managers.
/// Borrows the records.
std::vector<matrix> matrices(const record_set& set);
std::vector<matrix> matrices(record_set&& set) = delete;

/// Returns: a heading with the unit and the marks, and a line for each pool.
std::string text_of(const matrix& of);

}  // namespace teff::report
