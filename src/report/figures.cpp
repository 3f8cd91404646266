// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/figures.h"

#include "report/advice.h"
#include "report/markup.h"
#include "report/plot.h"
#include "report/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace teff::report {

namespace {

/// On more workers; on as many, faster; of equal ones the earlier in the set.
bool is_better(const record_line& a, const record_line& b) {
  const record &last_a = *a.records.back(), &last_b = *b.records.back();
  if (last_a.workers_asked != last_b.workers_asked) return last_a.workers_asked > last_b.workers_asked;
  return time_of(last_a) != time_of(last_b) ? time_of(last_a) < time_of(last_b) : std::less<>()(&last_a, &last_b);
}

/// Of as many, the earlier in the set.
bool has_fewer_workers(const record* a, const record* b) {
  return a->workers_asked != b->workers_asked ? a->workers_asked < b->workers_asked : std::less<>()(a, b);
}

std::string workers_text(const record& of) {
  if (of.workers == of.workers_asked) return counted(of.workers, "worker");
  return format("{} of {}", of.workers, counted(of.workers_asked, "worker"));
}

/// Every pool with every manager that has a time, in the order of the set.
std::vector<record_line> all_lines(const record_set& set) {
  std::vector<record_line> lines;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const record& each : set.records) {
    if (!median_seconds(each)) continue;
    const auto [place, is_new] = places.try_emplace({each.pool, each.memory}, lines.size());
    if (is_new) lines.push_back({each.pool + " with " + each.memory, {}});
    lines[place->second].records.push_back(&each);
  }
  for (record_line& line : lines) {
    std::sort(line.records.begin(), line.records.end(), has_fewer_workers);
  }
  return lines;
}

std::size_t count(const record_set& set, std::string record::* name) {
  std::set<std::string> names;
  for (const record& each : set.records) names.insert(each.*name);
  return names.size();
}

unsigned most_workers(const std::vector<record_line>& lines) { return lines.front().records.back()->workers_asked; }

std::size_t most_runs(const record_set& set) {
  std::size_t most = 0;
  for (const record& each : set.records) most = std::max(most, each.seconds.size());
  return most;
}

/// A sentence, if the lines are a choice.
std::string choice(const record_set& set, const std::vector<record_line>& lines) {
  if (count(set, &record::pool) < 2 || count(set, &record::memory) < 2) return {};
  return format(" Each pool is shown with the manager that is fastest on {}.", counted(most_workers(lines), "worker"));
}

// ---- speed-up -------------------------------------------------------------------------------------------------------------

std::optional<plot_point> point_of(const record& of) {
  const auto gain = speedup(of);
  if (!gain || *gain <= 0) return std::nullopt;
  const double serial = median(of.serial_seconds);
  const auto [fastest, slowest] = std::minmax_element(of.seconds.begin(), of.seconds.end());
  // A run that took no time has no speed-up: the spread then ends at the median.
  const double high = *fastest > 0 ? serial / *fastest : *gain;
  return plot_point{static_cast<double>(of.workers), *gain, serial / *slowest, high,
                    format("{} with {}, {}: speed-up {:.2f} ({:.2f} to {:.2f}), {}", of.pool, of.memory, workers_text(of), *gain,
                           serial / *slowest, high, duration(time_of(of)))};
}

plot_line plotted(const record_line& line, const std::set<unsigned>& workers) {
  plot_line made{line.name, {}};
  for (const unsigned each : workers) {
    const auto found =
        std::find_if(line.records.begin(), line.records.end(), [&](const record* some) { return some->workers_asked == each; });
    made.points.push_back(found == line.records.end() ? std::nullopt : point_of(**found));
  }
  return made;
}

bool has_point(const plot_line& line) {
  return std::any_of(line.points.begin(), line.points.end(), [](const auto& each) { return each.has_value(); });
}

std::string described(const std::vector<plot_line>& lines) {
  std::string text = "Speed-up by number of workers. ";
  for (const plot_line& line : lines) {
    text += line.name + ":";
    for (const auto& each : line.points) {
      if (each) text += format(" {:.2f} on {:g},", each->y, each->x);
    }
    text.back() = ';';
    text += ' ';
  }
  return text + "the linear bound is the number of workers.";
}

std::string caption_of_part(std::size_t index, std::size_t parts) {
  if (parts == 1) return "Speed-up over the serial program.";
  return format("Speed-up over the serial program, part {} of {}: {}, on the same axes.", index + 1, parts,
                index == 0           ? "the best"
                : index + 1 == parts ? "the last"
                                     : "those that follow");
}

// ---- times ----------------------------------------------------------------------------------------------------------------

plot_row row_of(const record& of, const record& best, const time_unit& unit) {
  const auto [fastest, slowest] = std::minmax_element(of.seconds.begin(), of.seconds.end());
  return {of.pool + " with " + of.memory,
          time_of(of) * unit.per_second,
          *fastest * unit.per_second,
          *slowest * unit.per_second,
          is_tie(best, of),
          duration(time_of(of)),
          format("{} with {}, {}: {} ({} to {})", of.pool, of.memory, workers_text(of), duration(time_of(of)), duration(*fastest),
                 duration(*slowest))};
}

std::string described(const std::vector<plot_row>& rows) {
  std::string text = "Median times.";
  for (const plot_row& each : rows) text += " " + each.name + ": " + each.shown + ";";
  return text;
}

}  // namespace

std::string whisker_sentence(const record_set& set) {
  const std::size_t runs = most_runs(set);
  if (runs < 2) return " There was one run of each: no spread is known.";
  const char* const how = set.records.front().simulated ? " that differ in costs of the machine by up to 1 %" : "";
  return format(" Whiskers reach from the slowest to the fastest of {} runs{}.", runs, how);
}

std::string figure(const std::string& drawing, const std::string& caption) {
  return "<figure>\n<div class=\"wide\">" + drawing + "</div>\n<figcaption>" + escaped(caption) + "</figcaption>\n</figure>\n";
}

std::vector<std::vector<plot_line>> parts_of(const std::vector<plot_line>& lines) {
  const std::size_t count = (lines.size() + lines_per_plot - 1) / lines_per_plot;
  std::vector<std::vector<plot_line>> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = lines.begin() + static_cast<std::ptrdiff_t>(lines.size() * i / count);
    parts.emplace_back(start, lines.begin() + static_cast<std::ptrdiff_t>(lines.size() * (i + 1) / count));
  }
  return parts;
}

std::vector<record_line> lines_of(const record_set& set) {
  std::vector<record_line> all = all_lines(set);
  std::sort(all.begin(), all.end(), is_better);
  if (count(set, &record::pool) < 2) return all;
  std::vector<record_line> chosen;
  std::set<std::string> pools;
  for (record_line& each : all) {
    if (pools.insert(each.records.front()->pool).second) chosen.push_back(std::move(each));
  }
  return chosen;
}

std::string speedup_figures(const record_set& set) {
  const std::vector<record_line> chosen = lines_of(set);
  std::set<unsigned> workers;
  for (const record_line& line : chosen) {
    for (const record* each : line.records) workers.insert(each->workers_asked);
  }
  if (workers.size() < 2) return {};
  std::vector<plot_line> lines;
  for (const record_line& each : chosen) lines.push_back(plotted(each, workers));
  std::erase_if(lines, [](const plot_line& each) { return !has_point(each); });
  if (lines.empty()) return {};
  const bool simulated = set.records.front().simulated;
  const plot_axes axes = axes_for(lines, simulated ? "workers (virtual processors)" : "workers (threads)");
  const auto parts = parts_of(lines);
  std::string figures;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string caption = caption_of_part(i, parts.size());
    const plot_text text{format("speedup-{}", i + 1), caption, described(parts[i])};
    figures += figure(line_plot(text, axes, parts[i]), caption + choice(set, chosen) + whisker_sentence(set));
  }
  return figures;
}

std::string time_figure(const record_set& set) {
  const std::vector<record_line> lines = lines_of(set);
  if (lines.empty()) return {};
  const record& best = *lines.front().records.back();
  const time_unit unit = unit_for(time_of(best));
  std::vector<plot_row> rows;
  for (const record_line& each : lines) {
    if (each.records.back()->workers_asked == best.workers_asked) rows.push_back(row_of(*each.records.back(), best, unit));
  }
  const char* const kind = best.simulated ? "virtual time" : "time";
  const std::string title = format("Median {} on {}", kind, counted(best.workers_asked, "worker"));
  const auto serial = best.serial_seconds.empty() ? std::nullopt : std::optional(median(best.serial_seconds) * unit.per_second);
  std::string caption =
      title + "; full dots: no difference beyond noise to the best." + choice(set, lines) + whisker_sentence(set);
  if (serial) caption += " The serial program takes " + duration(median(best.serial_seconds)) + ".";
  return figure(dot_plot({"times", title, described(rows)}, rows, serial, format("median {} in {}", kind, unit.name)), caption);
}

}  // namespace teff::report
