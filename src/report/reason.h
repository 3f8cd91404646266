// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why one record takes longer than another on as many workers: by their time accounts, and by nothing else.
///
/// Idea: for each record all parts of all workers add up to workers × elapsed, so the differences between the parts of two
/// records add up to the difference of that product. A part is a cause, or it is idle time, which is always a consequence:
/// somebody waits for somebody. What idle time follows from is found in three steps, each of what the one before left:
/// 1. Workers that were idle while another one had more of the program's own work to do: `imbalance`.
/// 2. A lock or line that was busy nearly all of the time: it bounds everybody, whether they wait for it or for its user.
/// 3. The causes that grew: who is idle waits for those who are busy with them, so each gets as large a part of the idle time as
///    it has of all that grew. If these are next to nothing, the idle time stays unexplained, and that is said.
#pragma once

#include "report/record.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::report {

// What is no part of the account.
/// Idle time that follows from an unequal distribution of the program's own work.
inline constexpr const char* imbalance = "imbalance";
/// The two parts of the account in which a worker has no task although some wait, as one.
inline constexpr const char* beside_tasks = "beside_tasks";
/// Idle time of which nothing in the account is the cause.
inline constexpr const char* unexplained = "unexplained";

struct cause {
  std::string part;  ///< a part of the account, or one of the names above
  double share = 0;  ///< of the difference; all causes together have 1, those that became less have a negative one
};

/// Returns: all causes, the largest first; nothing if one has no account, or the accounts do not differ as the times do.
std::vector<cause> causes_of(const record& slow, const record& fast);

/// Returns: the lock that was held for the largest part of the time, if that is half of it; else the line that was on its way for
/// four fifths of it; nullptr: there is none.
const resource* critical_resource(const record& of);

/// Returns: "The lock of the central queue was held 94 % of the time: that bounds it to 3,100,000 tasks per second".
std::string bound_sentence(const record& of, const resource& critical);

/// Returns: the part that explains most of the difference, with its share, and what it rests on: what stands behind "takes 1.80
/// times as long as …: ".
std::string reason_for(const record& slow, const record& fast);

/// Returns: a word for the table: the part, "partly" it, or that there is no single one; and its share.
std::string short_reason_for(const record& slow, const record& fast);

}  // namespace teff::report
