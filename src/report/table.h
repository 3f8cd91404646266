// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <string>

namespace teff::report {

/// Returns: one line per record. A record whose result was wrong shows no numbers, and a value that was not measured is "-".
/// Columns: T1/Ts is the time on one worker of the same pool and manager over the serial program's; ns/task is elapsed time
/// over tasks; steals and lost are the counters steals_got and steals_lost.
std::string table(const record_set& set);

/// Returns: one line that says what was run, and how long the serial program takes.
std::string headline(const record_set& set);

}  // namespace teff::report
