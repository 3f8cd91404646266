// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/table.h"

#include "report/text.h"

#include <algorithm>
#include <cmath>

namespace teff::report {

namespace {

constexpr const char* nothing = "-";

std::string shown(const std::optional<double>& value, const char* pattern) {
  return value ? format(fmt::runtime(pattern), *value) : nothing;
}

std::string shown(const std::optional<std::uint64_t>& value) { return value ? grouped(*value) : nothing; }

/// T1/Ts: of the record with the same pool and manager on one worker.
std::optional<double> overhead(const record_set& set, const record& of) {
  const auto same = std::find_if(set.records.begin(), set.records.end(), [&](const record& each) {
    return each.pool == of.pool && each.memory == of.memory && each.workers == 1;
  });
  if (same == set.records.end()) return std::nullopt;
  const auto alone = speedup(*same);
  if (!alone || *alone <= 0) return std::nullopt;
  return 1 / *alone;
}

/// Elapsed time for each task: a tenth of a nanosecond counts for small tasks only.
std::string ns_per_task(const record& of, double seconds) {
  if (of.tasks == 0) return nothing;
  const double ns = seconds * 1e9 / static_cast<double>(of.tasks);
  return ns < 999.95 ? format("{:.1f}", ns) : grouped(static_cast<std::uint64_t>(std::llround(ns)));
}

std::string workers_of(const record& of) {
  if (of.workers == of.workers_asked) return std::to_string(of.workers);
  return std::to_string(of.workers) + " of " + std::to_string(of.workers_asked);
}

std::vector<std::string> row(const record_set& set, const record& of) {
  const auto time = median_seconds(of);
  if (!time) return {of.pool, of.memory, workers_of(of), "wrong result"};
  return {of.pool,
          of.memory,
          workers_of(of),
          duration(*time),
          of.seconds.size() > 1 ? format("{:.0f} %", 100 * spread(of.seconds)) : nothing,
          shown(speedup(of), "{:.2f}"),
          shown(overhead(set, of), "{:.2f}"),
          ns_per_task(of, *time),
          shown(of.value("steals_got")),
          shown(of.value("steals_lost")),
          grouped(of.peak_live_tasks),
          grouped(of.peak_bytes)};
}

}  // namespace

std::string table(const record_set& set) {
  using enum align;
  std::vector<std::vector<std::string>> rows = {{"pool", "memory", "workers", "median", "spread", "speed-up", "T1/Ts", "ns/task",
                                                 "steals", "lost", "peak tasks", "peak bytes"}};
  for (const record& each : set.records) rows.push_back(row(set, each));
  return columns(rows, {left, left, right, right, right, right, right, right, right, right, right, right});
}

std::string headline(const record_set& set) {
  std::string line = set.workload + " " + set.size;
  if (set.records.empty()) return line;
  const record& first = set.records.front();
  line += ": " + counted(first.tasks, "task") + ", " + counted(first.seconds.size(), "run") + " each";
  line += first.simulated ? ", simulated: all times are virtual" : ", on " + counted(set.machine.usable_processors, "processor");
  if (!first.serial_seconds.empty()) line += "; serial program " + duration(median(first.serial_seconds));
  return line;
}

}  // namespace teff::report
