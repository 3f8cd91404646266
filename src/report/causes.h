// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the difference between two records on as many workers is made of: by their time accounts, and by nothing else.
///
/// Idea: for each record all parts of all workers add up to workers × elapsed, so the differences between the parts of two
/// records add up to the difference of that product. A part is a cause, or it is time in which a worker is idle while no task
/// waits: that is always a consequence, as the worker waits for another one. What it follows from is found in three steps, each
/// of what the one before left:
/// 1. Workers that were idle while another one had more of the program's own work to do: `imbalance`. Seen over a whole record:
/// what
///    is unequal now this way and now that way is equal in all.
/// 2. A lock or line that was busy nearly all of the time: it bounds everybody, whether they wait for it or for its user.
/// 3. The causes that grew: who is idle waits for those who are busy with them, so each gets as large a part of the idle time as
///    it has of what grew; but what grew next to nothing gets none, and none more than its own time for each worker, as a worker
///    that is held up holds up all of them at most. What is left has no cause in the account.
#pragma once

#include "report/record.h"

#include <string>
#include <vector>

namespace teff::report {

// What is no part of the account.
/// Idle time that follows from an unequal distribution of the program's own work.
inline constexpr const char* imbalance = "imbalance";
/// The two parts of the account in which a worker has no task although some wait, as one.
inline constexpr const char* beside_tasks = "searching/parked_beside_tasks";
/// Idle time of which nothing in the account is the cause.
inline constexpr const char* unexplained = "unexplained";

struct cause {
  std::string part;  ///< a part of the account, or one of the names above
  double share = 0;  ///< of the difference; all causes together have 1, those that became less have a negative one
  double idle = 0;   ///< of this share, what follows from it: workers that were idle meanwhile
};

/// Returns: all causes, the largest first; nothing if one has no account, or the accounts do not differ as the times do.
std::vector<cause> causes_of(const record& slow, const record& fast);

/// Shares of a cause from which on it is the reason, and from which on it is named as a part of it.
inline constexpr double whole_reason = 0.5, part_of_reason = 0.2;

/// Returns: of the causes that a sentence names, the largest, and the next if the largest is only a part of the reason.
std::vector<cause> named_causes(const std::vector<cause>& all);

/// Returns: what all workers together spent on a part, those of the names above included; in ns.
double total_ns(const record& of, const std::string& part);
/// Returns: the time in which workers were idle while no task waited; in ns.
double total_idle_ns(const record& of);
/// Returns: how much of that was while the one with the most own work had still some; in ns.
double imbalance_ns(const record& of);
/// Returns: the share of the program's own work that the worker with the most of it had.
double busiest_share(const record& of);

}  // namespace teff::report
