// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which records of a set are drawn, and how. What has no time (a wrong result, or no time at all) is not drawn.
#pragma once

#include "report/plot.h"
#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Records on rising numbers of workers that make one line: of one pool with one manager.
struct record_line {
  std::string name;
  std::vector<const record*> records;  ///< borrowed from the set; all have a time
};

/// Returns: a figure element: the drawing, and the caption, a plain text, below it.
std::string figure(const std::string& drawing, const std::string& caption);

/// Returns: a sentence on what whiskers are, which begins with a space. Pre: some record.
std::string whisker_sentence(const record_set& set);

/// Returns: parts of equal size (or one more), none of more lines than a drawing can have.
std::vector<std::vector<plot_line>> parts_of(const std::vector<plot_line>& lines);

/// Returns: a line for each pool, with the manager that is fastest on its largest number of workers; if there is only one pool, a
/// line for each manager. The best first.
std::vector<record_line> lines_of(const record_set& set);

/// Returns: figure elements of speed-up against workers; empty unless there are times on several numbers of workers.
std::string speedup_figures(const record_set& set);

/// Returns: a figure element of the times on the largest number of workers; empty if there are none.
std::string time_figure(const record_set& set);

}  // namespace teff::report
