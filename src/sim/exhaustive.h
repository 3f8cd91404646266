// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/sim.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Where a depth-first search through all schedules stands: the branch that each choice of the current run takes.
class schedule_search {
 public:
  /// Returns: which of `count` ways this run goes here. Pre: the run before went the same way up to its last open choice.
  std::uint32_t choose(std::uint32_t count);
  /// Effect: the next run takes the next schedule. Returns: false if there is none.
  bool advance();

 private:
  struct branch {
    std::uint32_t taken;
    std::uint32_t of;
  };
  std::vector<branch> branches_;
  std::size_t position_ = 0;
};

/// What explore found.
struct exploration {
  std::uint64_t schedules = 0;  ///< that were run
  bool complete = false;        ///< there are no others within the bound on preemptions
  std::string failure;          ///< of the last schedule: empty if it was good; else the report and the line that replays it
};

/// Effect: runs the body under every schedule of its shared accesses, parks and wakes, depth first, until one is not good, or
///   `schedules_at_most` were run.
/// `good` is asked after each finished run; without it a run is good if it finishes. Of the options, `strategy` is not used.
/// Pre: the body does the same in every run of the same schedule, and every schedule ends; loops that wait use spin_until, park
/// or
///   pause. Cost: some microseconds per schedule; n processors with k accesses each have (n·k)! / (k!)^n schedules.
/// Threads: as simulate.
exploration explore(options wanted, const std::function<void()>& body, const std::function<bool()>& good = nullptr);

}  // namespace TEFF_NAMESPACE::sim
