// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "report/reason.h"
#include "report/text.h"

#include <algorithm>
#include <functional>
#include <map>

namespace teff::report {

namespace {

/// Medians that are nearer may differ by what else the machine did. Simulated ones differ by their spread alone.
constexpr double measured_tie = 1.15;
/// More names than these would hide the sentence.
constexpr std::size_t ties_named = 8;
/// Of more than these only the next and the last get their line, and the table of reasons has all of them.
constexpr std::size_t lines_at_most = 8;
/// Of the time for tasks and their own work together: if putting and getting takes as much, they are too fine.
constexpr double fine_share = 0.5;
/// Of the time for tasks: measured own work that is less of it is what the estimate of that time left.
constexpr double least_known = 0.02;

std::string name_of(const record& of) { return of.pool + " with " + of.memory; }

/// By time; of equal ones the earlier in the set.
bool is_faster(const record* a, const record* b) {
  return time_of(*a) != time_of(*b) ? time_of(*a) < time_of(*b) : std::less<>()(a, b);
}

std::string explain(const record& slow, const record& fast) {
  const std::string times = format("{:.2f}", time_of(slow) / time_of(fast));
  // What makes so little is hardly one thing, and a share of it says nothing.
  if (times == "1.00") return format("  {} takes as long as {}, to the hundredth.", name_of(slow), name_of(fast));
  return format("  {} takes {} times as long as {}: {}.", name_of(slow), times, name_of(fast), reason_for(slow, fast));
}

std::string first_of(const std::vector<std::string>& names) {
  if (names.size() <= ties_named) return joined(names);
  const std::vector<std::string> first(names.begin(), names.begin() + ties_named);
  return format("{} and {} more", joined(first), names.size() - ties_named);
}

/// The records on one number of workers.
struct ranking {
  const record* best = nullptr;
  std::vector<const record*> ties, slower;  ///< the faster first
};

std::vector<ranking> rankings_of(const record_set& set) {
  std::map<unsigned, std::vector<const record*>> by_workers;
  for (const record& each : set.records) {
    if (median_seconds(each)) by_workers[each.workers_asked].push_back(&each);
  }
  std::vector<ranking> made;
  for (auto& [workers, ranked] : by_workers) {
    std::sort(ranked.begin(), ranked.end(), is_faster);
    made.push_back({ranked.front(), {}, {}});
    for (auto each = ranked.begin() + 1; each != ranked.end(); ++each)
      (is_tie(*ranked.front(), **each) ? made.back().ties : made.back().slower).push_back(*each);
  }
  return made;
}

/// Sentences about records on one number of workers. Pre: more than one.
void compare(const ranking& of, std::vector<std::string>& lines) {
  std::string line = counted(of.best->workers_asked, "worker") + ": ";
  if (of.slower.empty()) {
    lines.push_back(line + "no difference beyond noise between all " + std::to_string(of.ties.size() + 1) + ".");
    return;
  }
  std::vector<std::string> ties;
  for (const record* each : of.ties) ties.push_back(name_of(*each));
  line += name_of(*of.best) + " is best, " + duration(time_of(*of.best));
  if (!ties.empty()) line += "; no difference beyond noise to " + first_of(ties);
  lines.push_back(line + ".");
  const bool are_many = of.slower.size() > lines_at_most;
  for (const record* each : of.slower) {
    if (!are_many || each == of.slower.front() || each == of.slower.back()) lines.push_back(explain(*each, *of.best));
  }
}

/// A sentence for the case that tasks do less than it takes to put and get them; empty else.
std::string fineness(const record& best) {
  double own = 0, around = 0;
  for (const account_part& each : best.account) {
    if (each.name == "own_work" || each.name == "own_memory") own += static_cast<double>(each.total());
    if (each.name == "put_get") around += static_cast<double>(each.total());
  }
  if (best.tasks == 0 || around <= 0 || around < fine_share * (own + around)) return {};
  const double tasks = static_cast<double>(best.tasks) * 1e9;
  // Natively putting and getting is estimated, and taken off own work: of very fine tasks next to nothing may be left.
  const bool is_known = best.simulated || own >= least_known * around;
  return format(" Its tasks are too fine: putting and getting one takes {}, its own work {}.", duration(around / tasks),
                is_known ? duration(own / tasks) : "less than can be told beside that");
}

/// A sentence for the case that not even the best beats the serial program.
void compare_with_serial(const record& best, std::vector<std::string>& lines) {
  const auto gain = speedup(best);
  // A serial program that takes no time (less than the clock's unit) is as many times as fast as one likes.
  if (!gain || *gain == 0 || *gain >= 1 || are_tied(best.serial_seconds, best.seconds, best.simulated) || best.tasks == 0) return;
  lines.push_back(format("The serial program is {:.2f} times as fast as the best of them: it takes {} for {}.{}", 1 / *gain,
                         duration(median(best.serial_seconds) / static_cast<double>(best.tasks)),
                         best.tasks == 1 ? "its one task" : "each of " + counted(best.tasks, "task"), fineness(best)));
}

/// A sentence for the case that nothing is known of chance.
void warn_of_single_runs(const std::vector<ranking>& all, std::vector<std::string>& lines) {
  const auto is_single = [](const ranking& each) {
    return each.best->simulated && each.best->seconds.size() < 2 && !each.slower.empty();
  };
  if (std::any_of(all.begin(), all.end(), is_single))
    lines.emplace_back("One run of each: how much of a difference is chance is not known; --repeat 5 shows it.");
}

}  // namespace

bool are_tied(const std::vector<double>& fast, const std::vector<double>& slow, bool simulated) {
  if (!simulated && median(slow) <= median(fast) * measured_tie) return true;
  return median(slow) <= middle_half(fast).second || median(fast) >= middle_half(slow).first;
}

bool is_tie(const record& a, const record& b) {
  const record& fast = time_of(a) <= time_of(b) ? a : b;
  const record& slow = &fast == &a ? b : a;
  return are_tied(fast.seconds, slow.seconds, a.simulated);
}

std::vector<std::string> advice(const record_set& set) {
  const std::vector<ranking> all = rankings_of(set);
  std::vector<std::string> lines;
  const record* best = nullptr;
  for (const ranking& each : all) {
    if (!each.ties.empty() || !each.slower.empty()) compare(each, lines);
    if (best == nullptr || time_of(*each.best) < time_of(*best)) best = each.best;
  }
  warn_of_single_runs(all, lines);
  if (best != nullptr) compare_with_serial(*best, lines);
  return lines;
}

std::vector<std::vector<std::string>> reason_lines(const record_set& set) {
  std::vector<std::vector<std::string>> rows;
  for (const ranking& each : rankings_of(set)) {
    if (each.slower.size() <= lines_at_most) continue;
    for (const record* slow : each.slower)
      rows.push_back({slow->pool, slow->memory, std::to_string(slow->workers_asked),
                      format("{:.2f}", time_of(*slow) / time_of(*each.best)), short_reason_for(*slow, *each.best)});
  }
  return rows;
}

std::vector<std::string> reason_head() { return {"pool", "memory", "workers", "times the best", "explained by"}; }

std::string reason_table(const record_set& set) {
  auto rows = reason_lines(set);
  if (rows.empty()) return {};
  rows.insert(rows.begin(), reason_head());
  return columns(rows, {align::left, align::left, align::right, align::right, align::left});
}

}  // namespace teff::report
