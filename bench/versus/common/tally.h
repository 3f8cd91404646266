// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace versus {

/// What one thread has run: evidence that tasks were run, and by whom.
struct alignas(64) tally {
  std::uint64_t tasks = 0;
  std::uint64_t checksum = 0;
};

inline std::mutex tallies_lock;
inline std::list<tally> tallies;
inline constinit thread_local tally* mine = nullptr;

[[gnu::noinline, gnu::cold]] inline void add_tally() {
  const std::lock_guard guard(tallies_lock);
  mine = &tallies.emplace_back();
}

inline tally& own_tally() {
  if (mine == nullptr) [[unlikely]]
    add_tally();
  return *mine;
}

/// Effect: counts the calling task, in runs that are not timed. At the beginning of a task, because it may go on on another
/// thread.
template <bool Counted>
void count_task() {
  if constexpr (Counted) ++own_tally().tasks;
}

/// Pre: no task runs.
inline void clear_tallies() {
  for (tally& each : tallies) each = tally();
}

inline tally sum_of_tallies() {
  tally sum;
  for (const tally& each : tallies) {
    sum.tasks += each.tasks;
    sum.checksum += each.checksum;
  }
  return sum;
}

/// Returns: the tasks of each thread that ran any.
inline std::vector<std::uint64_t> tasks_by_thread() {
  std::vector<std::uint64_t> all;
  for (const tally& each : tallies) {
    if (each.tasks != 0) all.push_back(each.tasks);
  }
  return all;
}

}  // namespace versus
