// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the time of an OpenMP program went, by place in its source, and what that says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace teff::report {

/// How those are named for which there was no room.
inline constexpr const char* other_places = "other places";

/// A place: of a region, of a kind of tasks, or where the program's threads wait for one another. src/compat/openmp/SITES.md has
/// the numbers' names and units.
struct program_site {
  std::string at;  ///< "file.c:12 (function)"; other_places of those that were not told apart
  std::string in;  ///< of a task or a wait: the region's place; empty: outside of all regions
  std::map<std::string, double> numbers;
  std::string longest_at;  ///< of a region: where its longest task comes from
  std::string chain_at;    ///< … and the last task of its longest chain of tasks that depend on one another

  double operator[](const char* name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
};

struct program_sites {
  std::vector<program_site> regions, tasks, locks, barriers;
  std::string remark;  ///< why places are not named as they might be; empty: they are

  bool empty() const { return regions.empty() && tasks.empty() && locks.empty() && barriers.empty(); }
};

/// Effect: means of tasks so fine that to measure one takes longer agree with the own work of their regions, which is known by
/// difference: they are scaled, all those of a region alike.
void fit_fine_tasks(program_sites& of);

/// What holds a program back at one place.
struct finding {
  std::string cause;  ///< too_fine, too_few_tasks, slow_creation, long_task, dependence_chain, uneven, barrier, lock
  std::string at;     ///< the place
  std::string text;   ///< the sentence, which begins with the place
};

/// Returns: what follows from the numbers alone, those with the most time at stake first.
std::vector<finding> findings(const program_sites& of);

/// Returns: a line for each place, "region file.c:12 (main): …", the regions with the most time first, each with what is in it
/// behind it, and then the findings.
std::vector<std::string> site_lines(const program_sites& of);

}  // namespace teff::report
