// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "report/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace teff::report {

namespace {

constexpr double measured_tie = 1.15;
constexpr double simulated_tie = 1.05;
/// A counter that accounts for less of the difference is not named as its reason.
constexpr double least_share = 0.2;
/// A usual size of a core's own (second) cache.
constexpr std::uint64_t own_cache_bytes = 1024 * 1024;
/// More names than these would hide the sentence.
constexpr std::size_t ties_named = 8;

/// About what one event costs, to weigh counters against each other; no result is computed from it.
struct nominal_cost {
  const char* counter;
  double ns;
};
constexpr nominal_cost nominal_costs[] = {
    {"steals_lost", 200},         // a line from another cache, a lock that was taken
    {"queue_lock_waits", 200},    // the line that was waited for, and the time of its holder
    {"steals_got", 500},          // some lines from another cache
    {"steals_empty", 100},        // a line from another cache
    {"parks", 5'000},             // a system call, and a wake-up later
    {"wakes", 2'000},             // a system call
    {"publications", 50},         // a lock that is free
    {"reclaims", 50},             // a compare-and-swap and a copy
    {"run_first", 100},           // two switches
    {"central_locks", 50},        // a lock that is free
    {"system_allocations", 100},  // malloc
    {"list_visits", 5},
};
/// Idle time is a consequence more often than a cause: it is named only if nothing else is large enough.
constexpr nominal_cost idle_costs[] = {{"searching_ns", 1}, {"parked_ns", 1}};

std::string name_of(const record& of) { return of.pool + " with " + of.memory; }

double difference(const record& slow, const record& fast, const char* counter) {
  return static_cast<double>(slow.value(counter).value_or(0)) - static_cast<double>(fast.value(counter).value_or(0));
}

/// By time; of equal ones the earlier in the set.
bool is_faster(const record* a, const record* b) {
  return time_of(*a) != time_of(*b) ? time_of(*a) < time_of(*b) : std::less<>()(a, b);
}

/// The busiest worker's share of the tasks.
double busiest_share(const record& of) {
  const auto sum = std::accumulate(of.tasks_by_worker.begin(), of.tasks_by_worker.end(), std::uint64_t{0});
  if (sum == 0) return 0;
  return static_cast<double>(*std::max_element(of.tasks_by_worker.begin(), of.tasks_by_worker.end())) / static_cast<double>(sum);
}

std::string against(const char* counter, std::uint64_t more, std::uint64_t less) {
  return format("{} {} against {} ({} more)", counter, grouped(more), grouped(less), grouped(more - less));
}

std::string against(const record& slow, const record& fast, const char* counter) {
  return against(counter, slow.value(counter).value_or(0), fast.value(counter).value_or(0));
}

/// The counter that accounts for most of the difference, if any accounts for enough of it.
template <std::size_t Count>
std::string weightiest(const record& slow, const record& fast, const nominal_cost (&costs)[Count]) {
  const double gap_ns = (time_of(slow) - time_of(fast)) * 1e9;
  const auto weight = [&](const nominal_cost& each) { return difference(slow, fast, each.counter) * each.ns / slow.workers; };
  const auto largest = std::max_element(std::begin(costs), std::end(costs),
                                        [&](const nominal_cost& a, const nominal_cost& b) { return weight(a) < weight(b); });
  return weight(*largest) >= least_share * gap_ns ? against(slow, fast, largest->counter) : "";
}

std::string imbalance(const record& slow, const record& fast) {
  const double more = busiest_share(slow), less = busiest_share(fast);
  // What the slow one would gain by the fast one's distribution must be at least half of the difference.
  if (more <= 0 || time_of(slow) * (1 - less / more) < (time_of(slow) - time_of(fast)) / 2) return {};
  return format("tasks_by_worker: its busiest worker ran {:.1f} % of the tasks against {:.1f} % ({:.1f} points more)", 100 * more,
                100 * less, 100 * (more - less));
}

/// Waiting tasks that fill more than a core's own cache are fetched from further away.
std::string footprint(const record& slow, const record& fast) {
  const std::uint64_t more = slow.peak_bytes, less = fast.peak_bytes;
  if (more < own_cache_bytes || more < 4 * less) return {};
  return against("peak_bytes", more, less);
}

std::string reason(const record& slow, const record& fast) {
  for (const std::string& text : {imbalance(slow, fast), weightiest(slow, fast, nominal_costs), footprint(slow, fast),
                                  weightiest(slow, fast, idle_costs)}) {
    if (!text.empty()) return text;
  }
  const double tasks = static_cast<double>(std::max<std::uint64_t>(1, slow.value("tasks_run").value_or(slow.tasks)));
  return format("no count of events accounts for it; {} more for each of tasks_run {}",
                duration((time_of(slow) - time_of(fast)) / tasks), grouped(static_cast<std::uint64_t>(tasks)));
}

std::string explain(const record& slow, const record& fast) {
  return format("  {} takes {:.2f} times as long as {}: {}.", name_of(slow), time_of(slow) / time_of(fast), name_of(fast),
                reason(slow, fast));
}

std::string first_of(const std::vector<std::string>& names) {
  if (names.size() <= ties_named) return joined(names);
  const std::vector<std::string> first(names.begin(), names.begin() + ties_named);
  return format("{} and {} more", joined(first), names.size() - ties_named);
}

/// Sentences about records on one number of workers, the fastest first. Pre: more than one.
void compare(const std::vector<const record*>& ranked, std::vector<std::string>& lines) {
  const record& best = *ranked.front();
  std::vector<std::string> ties;
  std::vector<const record*> slower;
  for (const record* each : ranked) {
    if (each == &best) continue;
    if (is_tie(best, *each)) ties.push_back(name_of(*each));
    else slower.push_back(each);
  }
  std::string line = counted(best.workers_asked, "worker") + ": ";
  if (slower.empty()) {
    lines.push_back(line + "no difference beyond noise between all " + std::to_string(ranked.size()) + ".");
    return;
  }
  line += name_of(best) + " is best, " + duration(time_of(best));
  if (!ties.empty()) line += "; no difference beyond noise to " + first_of(ties);
  lines.push_back(line + ".");
  lines.push_back(explain(*slower.front(), best));
  if (slower.size() > 1) lines.push_back(explain(*slower.back(), best));
}

/// A sentence for the case that not even the best beats the serial program.
void compare_with_serial(const record& best, std::vector<std::string>& lines) {
  const auto gain = speedup(best);
  const double tie = best.simulated ? simulated_tie : measured_tie;
  // A serial program that takes no time (less than the clock's unit) is as many times as fast as one likes.
  if (!gain || *gain == 0 || *gain * tie >= 1 || best.tasks == 0) return;
  lines.push_back(
      format("The serial program is {:.2f} times as fast as the best of them: it takes {} for each of tasks_run {}, "
             "which is little beside the cost of a task.",
             1 / *gain, duration(median(best.serial_seconds) / static_cast<double>(best.tasks)), grouped(best.tasks)));
}

}  // namespace

bool is_tie(const record& a, const record& b) {
  const record& fast = time_of(a) <= time_of(b) ? a : b;
  const record& slow = &fast == &a ? b : a;
  if (time_of(slow) <= time_of(fast) * (a.simulated ? simulated_tie : measured_tie)) return true;
  return time_of(slow) <= quantile(fast.seconds, 0.75) || time_of(fast) >= quantile(slow.seconds, 0.25);
}

std::vector<std::string> advice(const record_set& set) {
  std::map<unsigned, std::vector<const record*>> by_workers;
  for (const record& each : set.records) {
    if (median_seconds(each)) by_workers[each.workers_asked].push_back(&each);
  }
  std::vector<std::string> lines;
  const record* best = nullptr;
  for (auto& [workers, ranked] : by_workers) {
    std::sort(ranked.begin(), ranked.end(), is_faster);
    if (ranked.size() > 1) compare(ranked, lines);
    if (best == nullptr || time_of(*ranked.front()) < time_of(*best)) best = ranked.front();
  }
  if (best != nullptr) compare_with_serial(*best, lines);
  return lines;
}

}  // namespace teff::report
