// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The time account and the critical resources of records, as texts.
#pragma once

#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Returns: the name of a part as it stands in texts: "lock wait".
std::string in_words(std::string part);
/// Returns: one line per record: the share of workers × elapsed that each part of the time account has, in percent; and below it
/// what the parts are. Nothing if no record has an account.
std::string account_table(const record_set& set);
/// Returns: a figure for each of the first eight lines of the drawings (a pool with a manager), of its record on the most
/// workers: a stacked bar per worker. Empty without accounts.
std::string account_figures(const record_set& set);
/// Returns: the parts of one record, worker by worker, and the locks and lines that were busiest. Nothing without an account.
std::string account_of(const record& of);
/// Returns: a sentence for each lock or line that was busy for so much of the time that it bounds the run. "the lock of the
/// central queue was held 94 % of the time: that bounds it to 1,200,000 tasks per second." Empty if none was.
std::vector<std::string> critical_resources(const record& of);

}  // namespace teff::report
