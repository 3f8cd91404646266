// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/matrix.h"

#include <algorithm>
#include <set>

namespace teff::report {

namespace {

// As wide as each other, so that the digits stand in line.
constexpr const char* no_mark = " ";
constexpr const char* best_of_row_mark = "*";
constexpr const char* best_of_all_mark = "#";

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Returns: the index of the smallest value that there is, the first of equal ones.
std::optional<std::size_t> smallest(const std::vector<std::optional<double>>& values) {
  std::optional<std::size_t> found;
  double least = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<double>& value = values[i];
    if (!value || (found && *value >= least)) continue;
    found = i;
    least = *value;
  }
  return found;
}

matrix matrix_of(const record_set& set, unsigned workers, const matrix& shape) {
  matrix made = shape;
  made.workers_asked = workers;
  made.cells.assign(made.pools.size() * made.memories.size(), nullptr);
  for (const record& each : set.records) {
    if (each.workers_asked != workers) continue;
    made.simulated = each.simulated;
    made.cells[index_of(made.pools, each.pool) * made.memories.size() + index_of(made.memories, each.memory)] = &each;
  }
  return made;
}

std::string heading(const matrix& of, const time_unit& unit) {
  return format("{}: median {} in {}; {} best of its row, {} best of all\n", counted(of.workers_asked, "worker"),
                of.simulated ? "virtual times" : "times", unit.name, best_of_row_mark, best_of_all_mark);
}

std::string marked(const std::optional<double>& seconds, const time_unit& unit, const char* mark) {
  return (seconds ? three_digits(*seconds * unit.per_second) : nothing) + mark;
}

std::vector<std::string> row_of_pool(const matrix& of, std::size_t row, const time_unit& unit) {
  std::vector<std::string> cells = {of.pools[row]};
  const auto best = of.best_of_row(row);
  for (std::size_t column = 0; column < of.memories.size(); ++column) {
    const auto seconds = of.seconds(row, column);
    const record* const timeless = seconds ? nullptr : of.at(row, column);
    const char* const mark = column != best ? no_mark : seconds == of.best() ? best_of_all_mark : best_of_row_mark;
    if (timeless != nullptr) cells.push_back(std::string(timeless->ended ? "wrong" : "did not end") + no_mark);
    else cells.push_back(marked(seconds, unit, mark));
  }
  cells.push_back(best ? of.memories[*best] : nothing);
  return cells;
}

std::vector<std::string> row_over_pools(const matrix& of, const time_unit& unit) {
  std::vector<std::string> cells = {"median"};
  const auto best = of.best_over_pools();
  for (std::size_t column = 0; column < of.memories.size(); ++column)
    cells.push_back(marked(of.over_pools(column), unit, column == best ? best_of_row_mark : no_mark));
  cells.push_back(best ? of.memories[*best] : nothing);
  return cells;
}

}  // namespace

std::optional<double> matrix::seconds(std::size_t row, std::size_t column) const {
  const record* const some = at(row, column);
  return some == nullptr ? std::nullopt : median_seconds(*some);
}

std::optional<std::size_t> matrix::best_of_row(std::size_t row) const {
  std::vector<std::optional<double>> values;
  for (std::size_t column = 0; column < memories.size(); ++column) values.push_back(seconds(row, column));
  return smallest(values);
}

std::optional<double> matrix::best() const {
  std::vector<std::optional<double>> values;
  for (std::size_t i = 0; i < cells.size(); ++i) values.push_back(seconds(i / memories.size(), i % memories.size()));
  const auto found = smallest(values);
  return found ? values[*found] : std::nullopt;
}

time_unit matrix::unit() const {
  constexpr double digits_more = 100;  // beyond the three that the best may have
  double longest = 0;
  for (std::size_t i = 0; i < cells.size(); ++i)
    longest = std::max(longest, seconds(i / memories.size(), i % memories.size()).value_or(0));
  return unit_for(std::max(best().value_or(0), longest / digits_more));
}

std::optional<double> matrix::over_pools(std::size_t column) const {
  std::vector<double> values;
  for (std::size_t row = 0; row < pools.size(); ++row) {
    if (const auto value = seconds(row, column)) values.push_back(*value);
  }
  return values.size() == pools.size() ? std::optional(median(values)) : std::nullopt;
}

std::optional<std::size_t> matrix::best_over_pools() const {
  std::vector<std::optional<double>> values;
  for (std::size_t column = 0; column < memories.size(); ++column) values.push_back(over_pools(column));
  return smallest(values);
}

std::vector<matrix> matrices(const record_set& set) {
  matrix shape;
  std::set<unsigned> workers;
  for (const record& each : set.records) {
    add_once(shape.pools, each.pool);
    add_once(shape.memories, each.memory);
    workers.insert(each.workers_asked);
  }
  std::vector<matrix> made;
  if (shape.pools.size() < 2 || shape.memories.size() < 2) return made;
  for (const unsigned each : workers) made.push_back(matrix_of(set, each, shape));
  return made;
}

std::string text_of(const matrix& of) {
  const time_unit unit = of.unit();
  std::vector<std::vector<std::string>> rows = {{"pool"}};
  for (const std::string& each : of.memories) rows[0].push_back(each + no_mark);
  rows[0].emplace_back("best manager");
  for (std::size_t row = 0; row < of.pools.size(); ++row) rows.push_back(row_of_pool(of, row, unit));
  rows.push_back(row_over_pools(of, unit));
  std::vector<align> alignment(of.memories.size() + 2, align::right);
  alignment.front() = alignment.back() = align::left;
  // One space: the place of a mark parts the columns already.
  return heading(of, unit) + columns(rows, alignment, " ");
}

}  // namespace teff::report
