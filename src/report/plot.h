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

/// Returns: the room to leave for a text of a drawing: what it takes in a wide font.
double text_width(const std::string& text);

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

/// Axes of a drawing of lines. Drawings that share them can be compared.
struct plot_axes {
  scale x, y;
  std::vector<double> places;  ///< on the horizontal axis, rising
  std::string x_label, y_label;
  /// Of speed-up against workers, with the linear bound and the serial program's level; else of times against a cost.
  bool of_speedup;
};

/// Returns: axes that show all the lines and as much of the linear bound as leaves the lines room. Logarithmic for numbers of
/// workers far apart. Pre: some point; every value is positive.
plot_axes axes_for(const std::vector<plot_line>& lines, const std::string& workers_label);

/// Returns: axes that show all the lines; logarithmic for values far apart. Pre: some point; no value is negative.
plot_axes axes_of_times(const std::vector<plot_line>& lines, const std::string& x_label, const std::string& y_label);

/// Returns: an svg element: the lines and a legend; of speed-up, the linear bound and the serial program's level, too. Pre: no
/// more than lines_per_plot lines.
std::string line_plot(const plot_text& text, const plot_axes& axes, const std::vector<plot_line>& lines);

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
