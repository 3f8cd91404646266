// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sweep.h"

#include "report/advice.h"
#include "report/figures.h"
#include "report/plot.h"
#include "report/text.h"

#include <algorithm>
#include <limits>
#include <set>

namespace teff::report {

namespace {

/// More sentences than these on how much longer each takes: only those of the least and the most are left.
constexpr std::size_t growths_named = 8;

std::string swept_name(const record& of) { return of.pool + " with " + of.memory; }

template <class T>
std::size_t place_of(const std::vector<T>& all, const T& one) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

sweep_square square_of(const record_set& set, unsigned workers) {
  sweep_square made;
  made.workers_asked = workers;
  std::set<double> values;
  for (const record& each : set.records) {
    if (each.workers_asked != workers || !each.swept) continue;
    values.insert(*each.swept);
    if (place_of(made.names, swept_name(each)) == made.names.size()) made.names.push_back(swept_name(each));
  }
  made.values.assign(values.begin(), values.end());
  made.cells.assign(made.values.size() * made.names.size(), nullptr);
  for (const record& each : set.records) {
    if (each.workers_asked == workers && each.swept && median_seconds(each))
      made.cells[place_of(made.values, *each.swept) * made.names.size() + place_of(made.names, swept_name(each))] = &each;
  }
  return made;
}

time_unit unit_of(const sweep_square& of) {
  double longest = 0;
  for (const record* each : of.cells) longest = std::max(longest, each != nullptr ? time_of(*each) : 0);
  return unit_for(longest);
}

const char* mark_of(const record& some, const record& best) { return &some == &best ? "*" : is_tie(some, best) ? "=" : " "; }

cell time_cell(const record* of, const record* best, const time_unit& unit) {
  if (of == nullptr) return {"-  ", std::nullopt};
  std::string text = three_digits(time_of(*of) * unit.per_second) + mark_of(*of, *best);
  if (of->seconds.size() > 1) text += format(" {:3.0f} %", 100 * spread(of->seconds));
  return {text, time_of(*of)};
}

// ---- sentences ------------------------------------------------------------------------------------------------------------

/// A range of values at which the same is best.
struct reign {
  std::string name;
  double first, last;
  bool has_equals = false;  ///< another one has the least time somewhere, and is no faster beyond noise
};

/// Who is best stays so while the fastest is no faster beyond noise.
std::vector<reign> reigns_of(const sweep_square& of) {
  std::vector<reign> found;
  for (std::size_t row = 0; row < of.values.size(); ++row) {
    const record* const best = of.best_of_row(row);
    if (best == nullptr) continue;
    const record* const before = found.empty() ? nullptr : of.at(row, place_of(of.names, found.back().name));
    if (before != nullptr && is_tie(*before, *best)) {
      found.back().last = of.values[row];
      found.back().has_equals |= before != best;
    } else {
      found.push_back({swept_name(*best), of.values[row], of.values[row]});
    }
  }
  return found;
}

std::string sentence_of(const record_set& set, const sweep_square& of) {
  const std::vector<reign> reigns = reigns_of(of);
  std::string line = counted(of.workers_asked, "worker") + ": ";
  if (reigns.empty()) return line + "nothing has a time.";
  for (std::size_t i = 0; i < reigns.size(); ++i) {
    const reign& each = reigns[i];
    line += i == 0 ? each.name + " is best at " + set.sweep + " = " : "; " + each.name + " at ";
    line += each.first == each.last ? format("{:g}", each.first) : format("{:g} to {:g}", each.first, each.last);
  }
  if (reigns.size() == 1) line += ", at every value";
  const bool has_equals = std::any_of(reigns.begin(), reigns.end(), [](const reign& each) { return each.has_equals; });
  return line + (has_equals ? "; at some values another one has the least time, but is no faster beyond noise." : ".");
}

/// Whether there are several values, and each of its pools took the very same times at all of them.
bool makes_no_difference(const sweep_square& of) {
  for (std::size_t row = 0; row < of.values.size(); ++row) {
    for (std::size_t column = 0; column < of.names.size(); ++column) {
      const record *first = of.at(0, column), *here = of.at(row, column);
      if (first == nullptr || here == nullptr || here->seconds != first->seconds) return false;
    }
  }
  return of.values.size() > 1;
}

struct growth {
  std::string name;
  double times;
};

std::vector<growth> growths_of(const sweep_square& of) {
  std::vector<growth> found;
  for (std::size_t column = 0; column < of.names.size(); ++column) {
    const record *first = of.at(0, column), *last = of.at(of.values.size() - 1, column);
    if (first != nullptr && last != nullptr && time_of(*first) > 0)
      found.push_back({of.names[column], time_of(*last) / time_of(*first)});
  }
  std::sort(found.begin(), found.end(),
            [](const growth& a, const growth& b) { return a.times != b.times ? a.times < b.times : a.name < b.name; });
  if (found.size() > growths_named) return {found.front(), found.back()};
  return found;
}

// ---- drawings -------------------------------------------------------------------------------------------------------------

plot_line line_of(const record_set& set, const sweep_square& of, std::size_t column, const time_unit& unit) {
  plot_line made{of.names[column], {}};
  for (std::size_t row = 0; row < of.values.size(); ++row) {
    const record* const some = of.at(row, column);
    if (some == nullptr) {
      made.points.emplace_back();
      continue;
    }
    const auto [fastest, slowest] = std::minmax_element(some->seconds.begin(), some->seconds.end());
    made.points.emplace_back(plot_point{of.values[row], time_of(*some) * unit.per_second, *fastest * unit.per_second,
                                        *slowest * unit.per_second,
                                        format("{}, {} = {:g}: {} ({} to {})", made.name, set.sweep, of.values[row],
                                               duration(time_of(*some)), duration(*fastest), duration(*slowest))});
  }
  return made;
}

/// The columns from best to worst at the last value, so that the first drawing has what matters.
std::vector<std::size_t> ranked_columns(const sweep_square& of) {
  std::vector<std::size_t> order(of.names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto last_time = [&](std::size_t column) {
    const record* const some = of.at(of.values.size() - 1, column);
    return some != nullptr ? time_of(*some) : std::numeric_limits<double>::max();
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return last_time(a) != last_time(b) ? last_time(a) < last_time(b) : a < b; });
  return order;
}

std::string described(const std::string& title, const std::vector<plot_line>& lines) {
  std::string text = title + ". ";
  for (const plot_line& line : lines) {
    text += line.name + ":";
    for (const auto& each : line.points) {
      if (each) text += format(" {:.3g} at {:g},", each->y, each->x);
    }
    text.back() = ';';
    text += ' ';
  }
  return text;
}

std::string figures_of(const record_set& set, const sweep_square& of) {
  const time_unit unit = unit_of(of);
  std::vector<plot_line> lines;
  for (const std::size_t column : ranked_columns(of)) {
    lines.push_back(line_of(set, of, column, unit));
    if (std::none_of(lines.back().points.begin(), lines.back().points.end(), [](const auto& each) { return each.has_value(); }))
      lines.pop_back();
  }
  if (lines.empty()) return {};
  const plot_axes axes = axes_of_times(lines, set.sweep, format("median virtual time in {}", unit.name));
  std::string made;
  const auto parts = parts_of(lines);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string title = format("Time on {} against {}{}", counted(of.workers_asked, "worker"), set.sweep,
                                     parts.size() == 1 ? "" : format(", part {} of {}", i + 1, parts.size()));
    made += figure(line_plot({format("sweep-{}-{}", of.workers_asked, i + 1), title, described(title, parts[i])}, axes, parts[i]),
                   title + "." + whisker_sentence(set));
  }
  return made;
}

}  // namespace

const record* sweep_square::best_of_row(std::size_t row) const {
  const record* best = nullptr;
  for (std::size_t column = 0; column < names.size(); ++column) {
    const record* const some = at(row, column);
    if (some != nullptr && (best == nullptr || time_of(*some) < time_of(*best))) best = some;
  }
  return best;
}

std::vector<sweep_square> sweep_squares(const record_set& set) {
  std::set<unsigned> workers;
  for (const record& each : set.records) workers.insert(each.workers_asked);
  std::vector<sweep_square> made;
  for (const unsigned each : workers) made.push_back(square_of(set, each));
  return made;
}

std::string sweep_heading(const record_set& set, const sweep_square& of) {
  const bool has_spread =
      std::any_of(set.records.begin(), set.records.end(), [](const record& each) { return each.seconds.size() > 1; });
  return format("{}: median virtual times in {}{}; * best of its row, = no different beyond noise",
                counted(of.workers_asked, "worker"), unit_of(of).name, has_spread ? " and their spread" : "");
}

std::vector<std::vector<cell>> sweep_lines(const record_set& set, const sweep_square& of) {
  const time_unit unit = unit_of(of);
  std::vector<std::vector<cell>> rows(1);
  rows[0].push_back({set.sweep, std::nullopt});
  for (const std::string& each : of.names) rows[0].push_back({each, std::nullopt});
  for (std::size_t row = 0; row < of.values.size(); ++row) {
    rows.push_back({{format("{:g}", of.values[row]), of.values[row]}});
    const record* const best = of.best_of_row(row);
    for (std::size_t column = 0; column < of.names.size(); ++column)
      rows.back().push_back(time_cell(of.at(row, column), best, unit));
  }
  return rows;
}

std::string sweep_table(const record_set& set) {
  std::string text;
  for (const sweep_square& each : sweep_squares(set)) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& line : sweep_lines(set, each)) {
      rows.emplace_back();
      for (const cell& some : line) rows.back().push_back(some.text);
    }
    text += (text.empty() ? "" : "\n") + sweep_heading(set, each) + "\n" +
            columns(rows, std::vector<align>(each.names.size() + 1, align::right));
  }
  return text;
}

std::vector<std::string> sweep_sentences(const record_set& set) {
  std::vector<std::string> lines;
  for (const sweep_square& each : sweep_squares(set)) {
    if (each.names.empty()) continue;
    lines.push_back(sentence_of(set, each));
    if (makes_no_difference(each)) {
      lines.push_back(format("  {} made no difference in these runs: each took the very same time at every value.", set.sweep));
      continue;
    }
    for (const growth& some : growths_of(each))
      lines.push_back(format("  {} takes {:.2f} times as long at {:g} as at {:g}.", some.name, some.times, each.values.back(),
                             each.values.front()));
  }
  return lines;
}

std::string sweep_figures(const record_set& set) {
  std::string made;
  for (const sweep_square& each : sweep_squares(set)) {
    if (!each.names.empty()) made += figures_of(set, each);
  }
  return made;
}

}  // namespace teff::report
