// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What TEFF_STATS=1 measures: STATS.md says what is printed.
#pragma once

#include "compat/openmp/clock.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

struct team;

/// Effect: from now on there is something to say at the end of the process: its pool and why it has so many threads.
void begin_statistics(const std::string& pool, const char* why);
/// Returns: where the regions of this process are counted besides, out of a list as base/region_count.h describes it. Files that
/// are no more, or are others by now, are left out. Effect: ticks come from the last of these that makes some.
std::vector<platform::atomic<std::uint64_t>*> open_region_counts(std::string_view files);
/// Effect: counts a region. `asked`: the program said how many threads.
void count_region(unsigned size, bool asked);
/// Effect: the team's members are added up at the end. Pre: it is destroyed after forget_team, which keeps its numbers.
void remember_team(team& measured);
void forget_team(team& measured);

}  // namespace TEFF_NAMESPACE::openmp
