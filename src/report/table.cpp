// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/table.h"

#include "report/matrix.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>

namespace teff::report {

namespace {

constexpr std::ptrdiff_t columns_of_names = 3;  ///< pool, memory, workers

cell text_cell(std::string text) { return {std::move(text), std::nullopt}; }

cell shown(const std::optional<double>& value, const char* pattern) {
  return {value ? format(fmt::runtime(pattern), *value) : nothing, value};
}

cell shown(const std::optional<std::uint64_t>& value) {
  if (!value) return text_cell(nothing);
  return {grouped(*value), static_cast<double>(*value)};
}

/// T1/Ts: of the record with the same pool and manager on one worker.
std::optional<double> overhead(const record_set& set, const record& of) {
  const auto same = std::find_if(set.records.begin(), set.records.end(), [&](const record& each) {
    return each.pool == of.pool && each.memory == of.memory && each.swept == of.swept && each.workers == 1;
  });
  if (same == set.records.end()) return std::nullopt;
  const auto alone = speedup(*same);
  if (!alone || *alone <= 0) return std::nullopt;
  return 1 / *alone;
}

cell shown_spread(const std::vector<double>& seconds) {
  if (seconds.size() < 2) return text_cell(nothing);
  const double share = spread(seconds);
  return {format("{:.0f} %", 100 * share), share};
}

/// Elapsed time for each task: a tenth of a nanosecond counts for small tasks only.
cell ns_per_task(const record& of, double seconds) {
  if (of.tasks == 0) return text_cell(nothing);
  const double ns = seconds * 1e9 / static_cast<double>(of.tasks);
  return {ns < 999.95 ? format("{:.1f}", ns) : grouped(static_cast<std::uint64_t>(std::llround(ns))), ns};
}

/// A worker has one at least, so 0 means that nobody counted.
std::optional<std::uint64_t> some_fibers(const record& of) {
  return of.peak_fibers != 0 ? std::optional(of.peak_fibers) : std::nullopt;
}

/// A record that has metrics: all that have any have the same ones.
const record* with_metrics(const record_set& set) {
  const auto found =
      std::find_if(set.records.begin(), set.records.end(), [](const record& each) { return !each.metrics.empty(); });
  return found != set.records.end() ? &*found : nullptr;
}

cell workers_of(const record& of) {
  std::string text = std::to_string(of.workers);
  if (of.workers != of.workers_asked) text += " of " + std::to_string(of.workers_asked);
  return {text, of.workers_asked};
}

}  // namespace

std::vector<std::string> table_head(const record_set& set) {
  std::vector<std::string> head = {"pool",    "memory", "workers", "median",     "spread",      "speed-up",  "T1/Ts",
                                   "ns/task", "steals", "lost",    "peak tasks", "peak fibers", "peak bytes"};
  if (!set.sweep.empty()) head.insert(head.begin() + columns_of_names, set.sweep);
  return head;
}

std::vector<cell> table_line(const record_set& set, const record& of) {
  const auto time = median_seconds(of);
  std::vector<cell> line = {text_cell(of.pool), text_cell(of.memory), workers_of(of)};
  if (!set.sweep.empty()) line.push_back(shown(of.swept, "{:g}"));
  if (!time) {
    line.push_back(text_cell(of.ended ? "wrong result" : "did not end"));
    return line;
  }
  for (cell& each : std::vector<cell>{{duration(*time), time},
                                      shown_spread(of.seconds),
                                      shown(speedup(of), "{:.2f}"),
                                      shown(overhead(set, of), "{:.2f}"),
                                      ns_per_task(of, *time),
                                      shown(of.value("steals_got")),
                                      shown(of.value("steals_lost")),
                                      shown(of.peak_live_tasks),
                                      shown(some_fibers(of)),
                                      shown(of.peak_bytes)})
    line.push_back(std::move(each));
  return line;
}

std::string table(const record_set& set) {
  std::vector<std::vector<std::string>> rows = {table_head(set)};
  for (const record& each : set.records) {
    rows.emplace_back();
    for (const cell& some : table_line(set, each)) rows.back().push_back(some.text);
  }
  std::vector<align> alignment(rows[0].size(), align::right);
  alignment[0] = alignment[1] = align::left;
  return columns(rows, alignment);
}

std::vector<std::string> metric_head(const record_set& set) {
  const record* const some = with_metrics(set);
  if (some == nullptr) return {};
  std::vector<std::string> head = {"pool", "memory", "workers"};
  if (!set.sweep.empty()) head.push_back(set.sweep);
  for (const metric& each : some->metrics) head.push_back(each.name);
  return head;
}

std::vector<cell> metric_line(const record_set& set, const record& of) {
  std::vector<cell> line = {text_cell(of.pool), text_cell(of.memory), workers_of(of)};
  if (!set.sweep.empty()) line.push_back(shown(of.swept, "{:g}"));
  const std::size_t columns = metric_head(set).size();
  for (const metric& each : of.metrics)
    line.push_back(each.value ? cell{format("{:.4g}", *each.value), each.value} : text_cell(each.instead));
  while (line.size() < columns) line.push_back(text_cell(nothing));
  return line;
}

std::vector<std::string> metric_texts(const record_set& set) {
  std::vector<std::string> texts;
  if (const record* const some = with_metrics(set); some != nullptr) {
    for (const metric& each : some->metrics) texts.push_back(each.name + ": " + each.what);
  }
  return texts;
}

std::string metric_table(const record_set& set) {
  std::vector<std::vector<std::string>> rows = {metric_head(set)};
  if (rows[0].empty()) return {};
  for (const record& each : set.records) {
    rows.emplace_back();
    for (const cell& some : metric_line(set, each)) rows.back().push_back(some.text);
  }
  std::vector<align> alignment(rows[0].size(), align::right);
  alignment[0] = alignment[1] = align::left;
  std::string text = columns(rows, alignment) + "\n";
  for (const std::string& each : metric_texts(set)) text += each + "\n";
  return text;
}

std::string headline(const record_set& set) {
  std::string line = set.workload + " " + set.size;
  if (set.records.empty()) return line;
  const record& first = set.records.front();
  const bool timed =
      std::any_of(set.records.begin(), set.records.end(), [](const record& each) { return !each.seconds.empty(); });
  line += timed ? ": " + counted(first.tasks, "task") + ", " + counted(first.seconds.size(), "run") + " each"
                : ": no run gave a right result";
  const std::string on_machine = set.machine.name.empty() ? "" : " on machine " + set.machine.name;
  line += first.simulated ? ", simulated" + on_machine + ": all times are virtual"
                          : ", on " + counted(set.machine.usable_processors, "processor");
  if (!first.serial_seconds.empty()) line += "; serial program " + duration(median(first.serial_seconds));
  return line;
}

}  // namespace teff::report
