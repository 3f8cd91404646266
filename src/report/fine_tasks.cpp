// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Times of very fine tasks that agree with their region's: SITES.md, *Fine tasks are sampled*.
#include "report/sites.h"

#include <cmath>

namespace teff::report {

namespace {

/// What measuring a task takes: that is taken off its time, and may be wrong by as much. It is also the most that a mean may have
/// to be mended by: what is more is no error of that, but tasks that were not met.
constexpr double measuring_ns = 250;
/// Of the tasks of a region, so many lie in places that have lines: else its own work is others' as well.
constexpr double nearly_all = 0.99;

/// Whether what is told of its short tasks is what some samples took, less what measuring them took, which is more.
bool is_uncertain(const program_site& task) {
  return task["measured"] > 0 && task["measured"] < task["tasks"] && task["short_time_ns"] < measuring_ns * task["short_tasks"];
}

void scale(program_site& task, double by) {
  const double time = task["time_ns"], brief = task["short_time_ns"];
  if (brief == time) task.numbers["squares_ns2"] *= by * by;
  task.numbers["short_time_ns"] = by * brief;
  task.numbers["time_ns"] = time - brief + by * brief;
}

void fit(const program_site& region, std::vector<program_site>& tasks) {
  double known_ns = region["own_outside_tasks_ns"], told_ns = 0, uncertain = 0, met = 0;
  for (const program_site& each : tasks) {
    if (each.in != region.at || each["measured"] == 0) continue;
    met += each["tasks"];
    known_ns += each["time_ns"];
    if (!is_uncertain(each)) continue;
    known_ns -= each["short_time_ns"];
    told_ns += each["short_time_ns"];
    uncertain += each["short_tasks"];
  }
  const double left_ns = region["own_ns"] - known_ns;
  if (told_ns <= 0 || left_ns <= 0 || region["part_inner_regions"] > 0) return;
  if (met < nearly_all * region["tasks"] || region["tasks"] < nearly_all * met) return;
  if (std::abs(left_ns - told_ns) > measuring_ns * uncertain) return;
  for (program_site& each : tasks)
    if (each.in == region.at && is_uncertain(each)) scale(each, left_ns / told_ns);
}

}  // namespace

void fit_fine_tasks(program_sites& of) {
  for (const program_site& each : of.regions)
    if (each.at != other_places) fit(each, of.tasks);
}

}  // namespace teff::report
