// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sites.h"

#include "report/text.h"

#include <algorithm>
#include <cmath>

namespace teff::report {

namespace {

constexpr double nanosecond = 1e-9;
constexpr const char* part = "part_";

// Where the sentences begin: choices, each with its reason. Shares are of the members' time in a region. Nothing else in this
// file decides whether something is said.

/// A region that took less in all its calls: to begin and end them takes about 10 us each, and a wake-up by the system 50.
constexpr double little_time_ns = 1e6;
/// Of it, waits at a barrier that are less have no line.
constexpr double little_at_barrier = 0.01;
/// Share of it and the members' own work: with less, coarser tasks could win no more than runs differ by.
constexpr double overhead_worth_a_word = 0.05;
/// A task that has less than so many times its overhead is too fine: a fifth of the time goes into the runtime.
constexpr double work_beside_overhead = 4;
/// … and with so many times it the overhead is 5 %.
constexpr double work_that_pays = 20;
/// So many tasks of a fine kind are short: the others are those whose threads lost their processors.
constexpr double mostly = 0.9;
/// With fewer the mean says little, and grain is not what such a program is slow by.
constexpr double tasks_worth_a_word = 100;
/// What is idle at the begin and the end of even a good region is less.
constexpr double idle_worth_a_word = 0.2;
/// Of the work of the member that has most: with less, its other tasks could go to who is idle.
constexpr double long_task_share = 0.5;
/// Times the mean of the other tasks: of tasks that are all alike none is the long one, and there are too few.
constexpr double long_beside_others = 3;
/// Of the idle time, so much is what a chain leaves no work for: it is the first cause then.
constexpr double chain_explains = 0.5;
/// Of what a region takes, so much is work of one member that is in none of its tasks: the others wait for tasks then, however
/// many it makes.
constexpr double alone_between_tasks = 0.5;
/// … and others may have done a little, too.
constexpr double measured_to = 1.05;
/// Twice what runs differ by.
constexpr double waiting_worth_a_word = 0.1;
/// A mean of fewer tasks is told as such.
constexpr double a_few = 30;
/// Of a member in a call: with more of them there are not too few, whatever the threads waited for.
constexpr double tasks_are_enough = 1'000;
/// The longest member's own work over the mean: what makes 20 % of the time idle.
constexpr double uneven = 1.25;

std::string time_text(double ns) { return duration(ns * nanosecond); }
std::string percent(double share) { return format("{:.0f} %", 100 * share); }

double ratio(double above, double below) { return below > 0 ? above / below : 0; }

double mean_members(const program_site& region) { return ratio(region["members"], region["calls"]); }
double imbalance(const program_site& region) {
  return ratio(region["longest_own_ns"], ratio(region["own_ns"], mean_members(region)));
}

/// Returns: for how long the members had nothing to do while the one with the most work did that.
double unevenness_ns(const program_site& region) { return mean_members(region) * region["longest_own_ns"] - region["own_ns"]; }

/// Returns: time of a member for which the others may have waited, and no fault of the program's: it had no processor, or it was
/// in the system to wake them.
double out_of_reach_ns(const program_site& region) {
  return region["part_without_processor"] - region["idle_without_processor_ns"] + region["part_waking"];
}

/// Returns: the members' time, without what it would have been out of reach of all.
double usable_ns(const program_site& region) {
  return std::max(0.0, region["capacity_ns"] - mean_members(region) * out_of_reach_ns(region));
}

/// Returns: the time for which members searched, slept, or had not come yet, and did not have to wait for one out of reach.
/// `awake`: nor had lost their own processor, with which they might have found something.
double idle_ns(const program_site& region, bool awake) {
  constexpr const char* busy[] = {"part_own_work",      "part_put_get", "part_lock_wait", "part_stealing",
                                  "part_system_memory", "part_fibers",  "part_measuring", "part_inner_regions"};
  double sum = mean_members(region) * out_of_reach_ns(region) + (awake ? region["idle_without_processor_ns"] : 0);
  for (const char* each : busy) sum += region[each];
  return std::max(0.0, region["capacity_ns"] - sum);
}
double idle_share(const program_site& region, bool awake) {
  return std::min(1.0, ratio(idle_ns(region, awake), usable_ns(region)));
}

double overhead_per_task(const program_site& region) { return ratio(region["overhead_ns"], region["tasks"]); }
/// Returns: the mean of the short tasks: a fine one that took long is one whose thread lost its processor.
double fine_time(const program_site& task) { return ratio(task["short_time_ns"], task["short_tasks"]); }

double mean_time(const program_site& task) { return ratio(task["time_ns"], task["tasks"]); }
double deviation(const program_site& task) {
  const double mean = mean_time(task);
  return std::sqrt(std::max(0.0, ratio(task["squares_ns2"], task["tasks"]) - mean * mean));
}

const program_site* region_of(const program_sites& all, const program_site& inner) {
  const auto found =
      std::find_if(all.regions.begin(), all.regions.end(), [&](const program_site& each) { return each.at == inner.in; });
  return found == all.regions.end() ? nullptr : &*found;
}

/// A finding, and how much of the members' time is at stake.
struct weighed {
  finding what;
  double ns;
};

bool is_too_fine(const program_site& task, const program_site& region) {
  const double overhead = overhead_per_task(region);
  return task["tasks"] >= tasks_worth_a_word && region["capacity_ns"] >= little_time_ns &&
         task["short_tasks"] >= mostly * task["tasks"] && fine_time(task) < work_beside_overhead * overhead &&
         task["tasks"] * overhead >= overhead_worth_a_word * (region["own_ns"] + region["overhead_ns"]);
}

weighed too_fine(const program_site& task, const program_site& region) {
  const double overhead = overhead_per_task(region), grain = work_that_pays * overhead;
  const double together = std::ceil(grain / std::max(1.0, fine_time(task)));
  std::string text =
      format("{} is too fine here: {} of work in a task beside {} of overhead; tasks of {} would keep that at 5 %: ", task.at,
             time_text(fine_time(task)), time_text(overhead), time_text(grain));
  if (task["iterations"] > 0)
    text += format("grainsize({:.0f}) instead of {:.0f} iterations in a task",
                   std::ceil(together * task["iterations"] / task["tasks"]), std::ceil(task["iterations"] / task["tasks"]));
  else
    text += format("put the work of {:.0f} into one, or, where each makes two, end the recursion {:.0f} levels earlier", together,
                   std::ceil(std::log2(together)));
  return {{"too_fine", task.at, text}, task["tasks"] * overhead};
}

/// Whether one task is what the others wait for, in the sum of the region's calls.
bool has_long_task(const program_site& region) {
  const double others = ratio(region["own_ns"] - region["long_tasks_ns"], region["tasks"] - region["calls"]);
  return region["long_tasks_ns"] >= long_task_share * region["longest_own_ns"] &&
         (region["tasks"] <= region["calls"] || region["long_tasks_ns"] >= long_beside_others * others * region["calls"]);
}

weighed long_task(const program_site& region) {
  const double idle = idle_share(region, false);
  const double calls = region["calls"], lasting = region["long_tasks_ns"] / calls;
  const std::string text = format(
      "{} is one long task: it took {} of the {} of the region {} ({}), and {} of the threads' time was idle; more threads do "
      "not help, smaller tasks there, or beginning it first, do",
      region.longest_at, time_text(lasting), time_text(region["elapsed_ns"] / calls), region.at,
      percent(ratio(region["long_tasks_ns"], region["elapsed_ns"])), percent(idle));
  return {{"long_task", region.longest_at, text}, idle_ns(region, false)};
}

/// Returns: how many threads there is work for while the longest chain runs, in the mean: with more of them the region takes as
/// long as the chain. 0: it has none.
double work_beside_chain(const program_site& region) { return ratio(region["own_ns"], region["chains_ns"]); }

bool has_long_chain(const program_site& region) {
  const double busy = work_beside_chain(region) / mean_members(region);
  return busy > 0 && 1 - busy >= chain_explains * idle_share(region, false);
}

weighed chain(const program_site& region) {
  const double calls = region["calls"];
  const std::string text = format(
      "{} is the end of a dependence chain: it takes {} of the {} of the region {}, and there was work for {:.1f} of {:.3g} "
      "threads meanwhile, and {} of their time was idle; more threads do not help, shorter tasks on the chain, or fewer "
      "dependences, do",
      region.chain_at, time_text(region["chains_ns"] / calls), time_text(region["elapsed_ns"] / calls), region.at,
      work_beside_chain(region), mean_members(region), percent(idle_share(region, false)));
  return {{"dependence_chain", region.chain_at, text}, idle_ns(region, false)};
}

/// Returns: a number of tasks: whole, or, below ten, with what is left.
std::string few_text(double tasks) { return tasks < 10 ? format("{:.3g}", tasks) : format("{:.0f}", tasks); }

weighed too_few(const program_site& region, double idle) {
  const double busy = (1 - idle) * mean_members(region);
  const std::string text = format(
      "{} has too few tasks: {} for {:.3g} threads in a call; in the mean {:.1f} of them had something to do, and {} of "
      "their time was idle",
      region.at, few_text(ratio(region["tasks"], region["calls"])), mean_members(region), busy, percent(idle));
  return {{"too_few_tasks", region.at, text}, idle_ns(region, true)};
}

/// Whether one member made the tasks, and had more to do between them than these have. What several did is more than the member
/// with most did in all, and not by what both are measured to.
bool makes_slowly(const program_site& region) {
  const double between = region["own_outside_tasks_ns"];
  return between >= alone_between_tasks * region["elapsed_ns"] && between <= measured_to * region["longest_own_ns"];
}

weighed slow_creation(const program_site& region, double idle) {
  const std::string text = format(
      "{} makes its tasks too slowly: {} of the {} of a call one thread works outside of tasks, and {} of the threads' time was "
      "idle; more threads do not help, having tasks do some of that work does",
      region.at, time_text(ratio(region["own_outside_tasks_ns"], region["calls"])),
      time_text(ratio(region["elapsed_ns"], region["calls"])), percent(idle));
  return {{"slow_creation", region.at, text}, idle_ns(region, true)};
}

weighed uneven_region(const program_site& region, double idle) {
  const std::string text = format(
      "{} is uneven: the thread with the most work had {:.2f} times the mean, and {} of the threads' time was idle; smaller "
      "chunks, as of schedule(dynamic), or tasks share it better",
      region.at, imbalance(region), percent(idle));
  return {{"uneven", region.at, text}, idle_ns(region, true)};
}

/// Returns: what SITES.md's `kind` says.
const char* lock_text(const program_site& lock) {
  constexpr const char* names[] = {"lock", "critical section",  "atomic operation without an instruction",
                                   "lock", "ordered construct", "doacross sink"};
  return names[static_cast<unsigned>(std::clamp(lock["kind"], 0.0, 5.0))];
}

weighed held_up(const program_site& lock, const program_site& region) {
  const std::string text =
      format("{}: this {} holds the region {} up: threads waited for it {} of their time there ({}, the longest {})", lock.at,
             lock_text(lock), region.at, percent(ratio(lock["time_ns"], region["capacity_ns"])),
             counted(static_cast<std::uint64_t>(lock["waits"]), "wait"), time_text(lock["longest_ns"]));
  return {{"lock", lock.at, text}, lock["time_ns"]};
}

/// Waits at a region's barriers, but for the last one, of whoever came before others.
struct barriers {
  const program_site* longest = nullptr;
  double time_ns = 0, waits = 0;
};
barriers barriers_of(const program_sites& all, const program_site& region) {
  barriers found;
  for (const program_site& each : all.barriers) {
    if (each.at == other_places || region_of(all, each) != &region) continue;
    found.time_ns += each["time_ns"];
    found.waits += each["waits"];
    if (found.longest == nullptr || each["time_ns"] > (*found.longest)["time_ns"]) found.longest = &each;
  }
  return found;
}

weighed uneven_phases(const barriers& at, const program_site& region, double idle) {
  const program_site& longest = *at.longest;
  const double phases = at.waits / (mean_members(region) - 1);
  const std::string text = format(
      "{}: threads wait for one another at this barrier, {} of their time in the region {} ({}, the longest {}){}, with {} of "
      "own work of each from one to the next; {} of the threads' time was idle; longer phases, shared more evenly, as by "
      "schedule(dynamic), or nowait where a phase needs nothing of the one before, help",
      longest.at, percent(ratio(longest["time_ns"], region["capacity_ns"])), region.at,
      counted(static_cast<std::uint64_t>(longest["waits"]), "wait"), time_text(longest["longest_ns"]),
      at.time_ns > longest["time_ns"] ? format(", and {} at all its barriers", percent(ratio(at.time_ns, region["capacity_ns"])))
                                      : "",
      time_text(ratio(region["own_ns"], phases * mean_members(region))), percent(idle));
  return {{"barrier", longest.at, text}, at.time_ns};
}

/// Whether more tasks might help: a call has not so many for each member that the number of them cannot be what it lacks.
bool has_few_tasks(const program_site& region) { return region["tasks"] <= tasks_are_enough * region["members"]; }

/// Effect: adds what is to be said of a region as a whole: one of these at most.
void judge(const program_sites& all, const program_site& region, std::vector<weighed>& found) {
  const double idle = idle_share(region, true);
  if (region["capacity_ns"] < little_time_ns || idle_share(region, false) < idle_worth_a_word || mean_members(region) < 2) return;
  // The way to each of these is part of the search.
  const bool has_fine = std::any_of(all.tasks.begin(), all.tasks.end(), [&](const program_site& each) {
    return region_of(all, each) == &region && is_too_fine(each, region);
  });
  if (region["tasks"] > region["calls"] && has_long_task(region)) return found.push_back(long_task(region));
  if (has_long_chain(region)) return found.push_back(chain(region));
  if (idle < idle_worth_a_word) return;
  if (region["tasks"] == 0) {
    // Where there is little work in a call, most of the idle time is that of its begin and end.
    if (imbalance(region) >= uneven && unevenness_ns(region) >= idle_ns(region, true) / 2)
      return found.push_back(uneven_region(region, idle));
    const barriers at = barriers_of(all, region);
    if (at.longest != nullptr && at.time_ns >= idle_ns(region, true) / 2) found.push_back(uneven_phases(at, region, idle));
  } else if (makes_slowly(region)) {
    found.push_back(slow_creation(region, idle));
  } else if (!has_fine && has_few_tasks(region) && region["part_searching_beside_tasks"] < idle_ns(region, true) / 2) {
    found.push_back(too_few(region, idle));
  }
}

std::vector<weighed> weigh(const program_sites& of) {
  std::vector<weighed> found;
  for (const program_site& each : of.regions)
    if (each.at != other_places) judge(of, each, found);
  for (const program_site& each : of.tasks) {
    const program_site* const region = region_of(of, each);
    if (region != nullptr && each.at != other_places && is_too_fine(each, *region)) found.push_back(too_fine(each, *region));
  }
  for (const program_site& each : of.locks) {
    const program_site* const region = region_of(of, each);
    if (region != nullptr && each.at != other_places && (*region)["capacity_ns"] >= little_time_ns &&
        each["time_ns"] >= waiting_worth_a_word * (*region)["capacity_ns"])
      found.push_back(held_up(each, *region));
  }
  std::sort(found.begin(), found.end(), [](const weighed& one, const weighed& other) {
    return one.ns != other.ns ? one.ns > other.ns : one.what.text < other.what.text;
  });
  return found;
}

std::string account_of(const program_site& region) {
  double total = 0;
  for (const auto& [name, ns] : region.numbers)
    if (name.starts_with(part)) total += ns;
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [name, ns] : region.numbers) {
    if (name.starts_with(part) && ns >= 0.0005 * total)
      parts.emplace_back(ns, format("{:.1f} % {}", 100 * ratio(ns, total), name.substr(std::string_view(part).size())));
  }
  std::sort(parts.rbegin(), parts.rend());
  std::vector<std::string> words;
  for (const auto& [ns, text] : parts) words.push_back(text);
  return joined(words);
}

std::string region_line(const program_site& of) {
  const auto whole = [&](const char* name) { return static_cast<std::uint64_t>(of[name]); };
  const double longest = of["longest_chain_ns"];
  return format("region {}: {} of {} in the mean on {:.3g} threads, {}, own work {}, imbalance {:.2f}{}; {}", of.at,
                counted(whole("calls"), "call"), time_text(ratio(of["elapsed_ns"], of["calls"])), mean_members(of),
                counted(whole("tasks"), "task"), time_text(of["own_ns"]), imbalance(of),
                longest > 0 ? ", a dependence chain of " + time_text(longest) : "", account_of(of));
}

/// Returns: where it lies, and why the region there may have no line.
std::string where(const program_sites& all, const program_site& inner) {
  if (inner.at == other_places) return "in any region";
  if (inner.in.empty()) return "outside of regions";
  const auto is_told = [&](const std::string& at) {
    return std::any_of(all.regions.begin(), all.regions.end(), [&](const program_site& each) { return each.at == at; });
  };
  if (is_told(inner.in)) return "in " + inner.in;
  return "in " + inner.in + (is_told(other_places) ? " (not over, or among other places)" : " (not over)");
}

std::string task_line(const program_sites& all, const program_site& of) {
  const std::string begin =
      format("task {} {}: {}", of.at, where(all, of), counted(static_cast<std::uint64_t>(of["tasks"]), "task"));
  if (of["measured"] == 0) return begin + ", not measured";
  const bool by_few = of["measured"] < of["tasks"] && of["measured"] < a_few;
  return format("{} of {} in the mean{}, spread {}, the longest {}", begin, time_text(mean_time(of)),
                by_few ? format(" of the {:.0f} that were measured", of["measured"]) : "", time_text(deviation(of)),
                time_text(of["longest_ns"]));
}

std::string wait_line(const char* what, const program_sites& all, const program_site& of) {
  return format("{} {} {}: {} of {} in all, the longest {}", what, of.at, where(all, of),
                counted(static_cast<std::uint64_t>(of["waits"]), "wait"), time_text(of["time_ns"]), time_text(of["longest_ns"]));
}

/// Of other places it is not known what they were.
std::string lock_line(const program_sites& all, const program_site& of) {
  return wait_line(of.at == other_places ? "locks and turns at" : lock_text(of), all, of);
}

std::string barrier_line(const program_sites& all, const program_site& of) { return wait_line("barrier", all, of); }

/// Returns: an order of places, by a number of theirs, and by name.
auto more_first(const char* number) {
  return [number](const program_site& one, const program_site& other) {
    return one[number] != other[number] ? one[number] > other[number] : one.at < other.at;
  };
}

/// Effect: adds lines for what lies in one region, or (nullptr) in none that has a line, those with the most time first.
void add_inner(const program_sites& of, const program_site* in, std::vector<std::string>& lines) {
  const auto add_lines = [&](std::vector<program_site> some, double least_ns,
                             std::string (*line)(const program_sites&, const program_site&)) {
    std::sort(some.begin(), some.end(), more_first("time_ns"));
    for (const program_site& each : some)
      if (region_of(of, each) == in && each["time_ns"] >= least_ns) lines.push_back(line(of, each));
  };
  add_lines(of.tasks, 0, task_line);
  add_lines(of.locks, 0, lock_line);
  // Loops and `single` have barriers, too: those at which little time passes would fill the table.
  add_lines(of.barriers, in != nullptr ? little_at_barrier * (*in)["capacity_ns"] : 0, barrier_line);
}

}  // namespace

std::vector<finding> findings(const program_sites& of) {
  std::vector<finding> found;
  for (weighed& each : weigh(of)) found.push_back(std::move(each.what));
  return found;
}

std::vector<std::string> site_lines(const program_sites& of) {
  std::vector<std::string> lines;
  std::vector<const program_site*> regions;
  for (const program_site& each : of.regions) regions.push_back(&each);
  std::sort(regions.begin(), regions.end(),
            [](const program_site* one, const program_site* other) { return more_first("capacity_ns")(*one, *other); });
  for (const program_site* each : regions) {
    lines.push_back(region_line(*each));
    add_inner(of, each, lines);
  }
  add_inner(of, nullptr, lines);
  for (const finding& each : findings(of)) lines.push_back(each.text);
  if (!of.remark.empty()) lines.push_back(of.remark);
  return lines;
}

}  // namespace teff::report
