// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker/member.h"
#include "worker/shape.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::workers {

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
  /// Effect: adds the time account, since that moment of platform::account_now.
  /// `task_cost_ps`: what each task costs beside its function and its pool, in thousandths of ns; natively.
  void add_account_to(team_totals& totals, std::uint64_t since, std::uint64_t task_cost_ps) const;
  /// Effect: adds what follows from all sums. Pre: the pool has added its own.
  static void complete(team_totals& totals);
  void reset();
  /// Returns: a number that changes whenever a task has finished, was set aside or went on.
  std::uint64_t progress() const;

 private:
  static std::uint64_t joined_by(const member& of);

  const std::vector<member*>& members_;
  std::vector<std::uint64_t> finished_before_, created_before_;  ///< what the counters held at the last reset
  platform::statistic inits_;
  platform::atomic<std::uint64_t> injections_{0};
};

}  // namespace TEFF_NAMESPACE::workers
