// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Whether the medians of two sets of runs may differ by chance alone: either lies within the middle half of the other's runs
/// (all of them, where there are less than five). Measured ones also if they differ by no more than 15 %, as other things go on
/// on a machine for longer than some runs take. Pre: there are runs; the median of `fast` is not the larger one.
bool are_tied(const std::vector<double>& fast, const std::vector<double>& slow, bool simulated);

/// The same of two records, the faster one being either. Pre: both have a median.
bool is_tie(const record& a, const record& b);

/// Returns: for each number of workers which pool and manager is best, and for each of the others that is no tie why not, a
/// sentence each; if these are many, for the next and the last. What a sentence claims it rests on the time accounts (reason.h).
std::vector<std::string> advice(const record_set& set);

/// Returns: the reasons in short for numbers of workers of which not all have a sentence; nothing if all have.
std::vector<std::string> reason_head();
std::vector<std::vector<std::string>> reason_lines(const record_set& set);
std::string reason_table(const record_set& set);

}  // namespace teff::report
