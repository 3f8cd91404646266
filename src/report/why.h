// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What became of the gaps between records when the simulated machine had one cost less: whether the sentences are right.
#pragma once

#include "report/record.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::report {

/// By how much the gap between a record and the best one on as many workers narrows without one cost.
struct narrowing {
  const knock_out* without;  ///< borrowed from the set, as the others
  const record *slow, *best;
  double gap_seconds, gap_without;
  /// 1: the gap is gone; negative: it is wider.
  double share() const { return gap_seconds > 0 ? 1 - gap_without / gap_seconds : 0; }
};

/// Returns: whether some record takes longer than the best one on as many workers, beyond noise.
bool has_gap(const record_set& set);

// Of the others, what is returned is empty if the set has no knock-outs.
/// Returns: those of all knock-outs for each record that is no tie with the best; of one record the largest first.
std::vector<narrowing> narrowings(const record_set& set);
std::vector<narrowing> narrowings(record_set&& set) = delete;

/// Returns: for each such record which cost narrows its gap most and by how much, and for each part of the account that the
/// sentence on why names whether taking a cost of that part away narrows the gap by a fifth.
std::vector<std::string> why_sentences(const record_set& set);

/// Returns: heads and lines: which record, which cost, the gap with and without it.
std::vector<std::vector<std::string>> why_lines(const record_set& set);
std::string why_table(const record_set& set);

}  // namespace teff::report
