// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Drawings as SVG inside a page: knows numbers and names, but neither pools nor managers. Colours are classes that the page's
/// style defines; lines differ in markers and dashes too.
#pragma once

#include "report/scale.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace teff::report {

/// As many lines as one drawing can have that all look different.
constexpr std::size_t lines_per_plot = 7;

/// What a drawing is for those who do not see it. Plain texts.
struct plot_text {
  std::string id;  ///< of the element: only one of the page has it
  std::string title, description;
};

/// A median and its spread.
struct plot_point {
  double x, y;
  double low, high;  ///< low <= y <= high
  std::string text;  ///< shown while the pointer is on it
};

struct plot_line {
  std::string name;
  /// One for each place on the horizontal axis; nothing where there is no value: the line has a gap there.
  std::vector<std::optional<plot_point>> points;
};

/// Axes of speed-up against workers. Drawings that share them can be compared.
struct speedup_axes {
  scale workers, speedup;
  std::vector<double> worker_numbers;  ///< rising
  std::string workers_label, speedup_label;
};

/// Returns: axes that show all the lines and as much of the linear bound as leaves the lines room. Logarithmic for numbers of
/// workers far apart. Pre: some point; every value is positive.
speedup_axes axes_for(const std::vector<plot_line>& lines, const std::string& workers_label);

/// Returns: an svg element: the lines, the linear bound, the serial program's level and a legend. Pre: no more than
/// lines_per_plot lines.
std::string speedup_plot(const plot_text& text, const speedup_axes& axes, const std::vector<plot_line>& lines);

struct plot_row {
  std::string name;
  double value, low, high;
  bool is_tie;        ///< with the best: drawn full
  std::string shown;  ///< the value as a text
  std::string text;   ///< shown while the pointer is on it
};

/// Returns: an svg element: a dot for each row, with its spread, and the serial program's value if it is not far away.
/// Pre: some row; no value is negative.
std::string dot_plot(const plot_text& text, const std::vector<plot_row>& rows, const std::optional<double>& serial,
                     const std::string& label);

}  // namespace teff::report
