// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Locks and cache lines that one worker at a time has, and that were busy for so much of a run that they bound it.
#pragma once

#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

/// Returns: for which part of the run it was busy, at most 1. Natively some acquisitions stand for all, so that it may seem to
/// have been busy for longer than the run: a little longer is 1, and much longer is 0, as nothing is known then.
double busy_share(const record& of, const resource& some);

/// Whether it bounds the run: a lock that was held for half of the time, or a line that was on its way for four fifths of it.
bool bounds(const record& of, const resource& some);

/// Returns: all that bound the run, the busiest first. A line is left out if it is that of a lock that does.
std::vector<const resource*> bounds_of(const record& of);

/// Returns: the busiest of them; nullptr if there is none.
const resource* critical_resource(const record& of);

/// Returns: the busiest of those that are a reason for the difference: nullptr if none is. One is if the resource of the same
/// name was busy for less time in the fast record, by a fifth of the difference or more.
const resource* bound_beside(const record& slow, const record& fast);

/// Returns: the part of the time account that waiting for a lock or line belongs to; nullptr: to several.
const char* part_of_waits(const resource& for_it);

/// Whether it is a lock's own cache line.
bool is_line_of(const resource& line, const resource& lock);

/// Whether it is one lock or line, not several with the same label that are told together.
bool is_one(const resource& some);

/// Returns: the name within a sentence or at its beginning, with its article where it has one.
std::string named_within(const resource& some);
std::string named_first(const resource& some);

/// Returns: "The lock of the central queue was held 94 % of the time: that bounds it to 3,100,000 tasks per second".
std::string bound_sentence(const record& of, const resource& some);

}  // namespace teff::report
