// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker/member.h"
#include "worker/shape.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// What tasks cost beside their functions, and beside what pools without a lane take for them, in thousandths of ns. By these
/// the time account tells natively what a task puts into the runtime from what it does itself: an estimate.
struct task_costs {
  std::uint64_t put = 0;         ///< of one that is put, and comes to the loop: its memory, its way, its call, its counts
  std::uint64_t join = 0;        ///< of one that is offered by a join and taken back by it
  std::uint64_t child = 0;       ///< of one that its parent's wait for a group runs in place
  std::uint64_t suspension = 0;  ///< for a task to be set aside, and to go on
};

/// What a team tells of its workers' counters since the last reset. Exact between runs.
///
/// Threads: any; the counts of initial tasks under a lock of the caller's. Cost: a load for each counter of each worker.
class run_totals {
 public:
  explicit run_totals(const std::vector<member*>& members) : members_(members) {}

  /// Effect: begins to count. Pre: the members are there.
  void begin();
  void count_initial() { inits_.add(1); }
  void count_injected(std::uint64_t tasks) { injections_.fetch_add(tasks, platform::relaxed); }  // relaxed: a statistic
  /// Effect: adds the sums to `totals`, in which the pool has counted already.
  void add_to(team_totals& totals) const;
  /// Effect: adds the time account, between these moments of platform::account_now. `costs`: natively.
  void add_account_to(team_totals& totals, std::uint64_t since, std::uint64_t now, const task_costs& costs) const;
  /// Effect: adds what follows from all sums. Pre: the pool has added its own.
  static void complete(team_totals& totals);
  void reset();
  /// Returns: a number that changes whenever a task has finished, was set aside or went on; of so many workers with the smallest
  /// numbers.
  std::uint64_t progress(std::size_t workers_at_most = ~std::size_t{0}) const;

 private:
  static std::uint64_t joined_by(const member& of);
  void split_own_work(const member& of, const task_costs& costs, std::uint64_t (&parts)[account_part_count]) const;

  const std::vector<member*>& members_;
  std::vector<std::uint64_t> finished_before_, created_before_;  ///< what the counters held at the last reset
  platform::statistic inits_;
  platform::atomic<std::uint64_t> injections_{0};
};

}  // namespace TEFF_NAMESPACE::workers
