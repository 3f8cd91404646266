// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which calls of a region are measured, with TEFF_STATS=1.
///
/// *Idea* To measure the first tasks of each call takes a quarter of a program's time that opens a region often, with a few
/// hundred tasks of 1 us in each. So a region's opener decides for all members, before they begin, whether a call is measured,
/// stands for others as well, or is only *counted*: once some calls in a row were brief and of fine tasks, one in 64 is measured.
/// A counted call is one pause of each member's clock (clock.h): its tasks are counted, a long one is found by a tick, and its
/// time is divided in the members' accounts by what was measured of others. So are, when all is over, the region's numbers of
/// such calls: nobody has to divide anything before the opener reads.
///
/// *What is not alike* A call that took much longer than the last one that was measured stands for itself, counted or not: its
/// members' numbers are taken as they are, and from a tick on they measure.
#pragma once

#include "compat/openmp/sites.h"

namespace TEFF_NAMESPACE::openmp {

/// Of one call, from its tasks on. If it is only counted, the numbers that it has not are anything.
using call_sums = std::uint64_t[region_numbers::of_call];

inline constexpr std::uint64_t never_unlike_ns = ~std::uint64_t{0} / 2;

/// A call of a region. Of a team's member 0, whose thread writes it before the others begin. [send]
struct region_call {
  const void* region = nullptr;  ///< nullptr: none, or a target region
  std::uint64_t number = 0;      ///< of the team's calls
  std::uint64_t began_ns = 0;
  bool is_typical = false;                  ///< if it is measured, others are taken to be like it
  std::uint64_t stands_for = 1;             ///< calls; 0: it is only counted
  std::uint64_t unlike_ns = 0;              ///< what takes longer is not like the others
  std::uint32_t first_tasks = measured_first;  ///< of each member, which are all measured, if it is
  std::uint64_t usual[time_kinds] = {};        ///< what was measured of others, for measured_first tasks; 0: nothing
  site<region_numbers>* numbers = nullptr;  ///< of the region

  /// Returns: what so many tasks of it took in others, of time that nobody looks at in a pause.
  std::uint64_t usual_ns(std::uint64_t tasks) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : usual) sum += each;
    return tasks * sum / measured_first;
  }
  /// Whether it stands for itself alone, when it has taken so long, and did so.
  bool is_unlike(std::uint64_t elapsed, const call_sums& sums) const {
    return elapsed > unlike_ns || sums[region_numbers::inner] != 0;
  }
  /// Whether its members' numbers are those of the call.
  bool is_measured(std::uint64_t elapsed, const call_sums& sums) const { return stands_for != 0 || is_unlike(elapsed, sums); }
};

/// Effect: a call of that region begins, of which `numbers` were measured. Pre: of the last one nobody reads any more.
void plan_call(region_call& next, const void* region, site<region_numbers>* numbers);
/// Effect: the call is over, after so long, with so many members. `sums`: without what is said by these.
void add_call(const region_call& over, unsigned members, std::uint64_t elapsed, call_sums& sums);

/// Returns: what is told of a region, by what was measured of it: the same numbers, without those of sampled calls.
void estimate(site<region_numbers>& all, const site<region_numbers>& measured);

}  // namespace TEFF_NAMESPACE::openmp
