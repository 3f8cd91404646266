// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::report {

/// What stands in a table: a text, and the number that it was made of.
struct cell {
  std::string text;
  std::optional<double> number;
};

/// Returns: the heads of the columns; behind the workers, the cost that was swept.
std::vector<std::string> table_head(const record_set& set);
/// Returns: the line of a record; a wrong result, or none, ends it early.
std::vector<cell> table_line(const record_set& set, const record& of);

/// Returns: one line per record. A record whose result was wrong shows no numbers, and a value that was not measured is "-".
/// Columns: T1/Ts is the time on one worker of the same pool and manager over the serial program's; ns/task is elapsed time
/// over tasks; steals and lost are the counters steals_got and steals_lost.
std::string table(const record_set& set);

/// Returns: the heads of the columns of what the workload itself measured, behind those of names and of the cost; nothing if it
/// measures nothing.
std::vector<std::string> metric_head(const record_set& set);
/// Returns: the line of a record. Pre: metric_head has some.
std::vector<cell> metric_line(const record_set& set, const record& of);
/// Returns: a sentence for each metric, "name: what".
std::vector<std::string> metric_texts(const record_set& set);
/// Returns: one line per record, and below it what the columns mean; nothing if the workload measures nothing.
std::string metric_table(const record_set& set);

/// Returns: one line that says what was run, and how long the serial program takes.
std::string headline(const record_set& set);

}  // namespace teff::report
