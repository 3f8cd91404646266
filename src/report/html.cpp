// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html.h"

#include "report/account.h"
#include "report/advice.h"
#include "report/figures.h"
#include "report/html_style.h"
#include "report/markup.h"
#include "report/matrix.h"
#include "report/sweep.h"
#include "report/table.h"
#include "report/text.h"
#include "report/why.h"

#include <algorithm>
#include <iterator>

namespace teff::report {

namespace {

constexpr const char* best_mark = "\u2605";  // a star
/// Times up to so many times the best have the colours h0, h1, …; longer ones the one after these.
constexpr double heat_steps[] = {1.05, 1.15, 1.5, 2, 4};

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "<section>\n<h2>" + escaped(title) + "</h2>\n" + content + "</section>\n";
}

std::string paragraph(const char* style, const std::string& text) {
  return format("<p class=\"{}\">{}</p>\n", style, escaped(text));
}

bool is_simulated(const record_set& set) { return !set.records.empty() && set.records.front().simulated; }

// ---- what was run, and where ----------------------------------------------------------------------------------------------

std::string definition(const char* name, const std::string& value) {
  return format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
}

std::string settings_of(const record_set& set) {
  std::vector<std::string> all;
  for (const record& each : set.records) {
    for (const std::string& setting : each.settings) {
      if (std::find(all.begin(), all.end(), setting) == all.end()) all.push_back(setting);
    }
  }
  return joined(all);
}

std::string costs_of(const machine& of) {
  std::vector<std::string> costs;
  for (const auto& [name, value] : of.costs) costs.push_back(format("{}={:g}", name, value));
  return joined(costs);
}

std::string facts(const record_set& set) {
  std::string list = definition("workload", set.workload) + definition("size", set.size);
  if (!set.records.empty()) list += definition("seed", std::to_string(set.records.front().seed));
  if (const std::string settings = settings_of(set); !settings.empty()) list += definition("settings", settings);
  list += definition("processor", set.machine.processor);
  if (!set.machine.name.empty()) list += definition("machine", set.machine.name);
  if (!set.sweep.empty()) list += definition("cost that takes several values", set.sweep);
  if (is_simulated(set)) list += definition("costs of the machine", costs_of(set.machine));
  else list += definition("usable processors", std::to_string(set.machine.usable_processors));
  list += definition("commit of Teff", set.commit);
  list += definition("times", is_simulated(set)
                                  ? "virtual: those of the simulated machine whose costs stand above, not of the one that "
                                    "simulated it; the same seed gives the same times"
                                  : "measured on this machine");
  return "<dl>\n" + list + "</dl>\n";
}

/// Why records are missing from the drawings; empty if none is.
std::string what_is_missing(const record_set& set) {
  std::size_t wrong = 0, endless = 0, timeless = 0;
  for (const record& each : set.records) {
    const auto time = median_seconds(each);
    if (!time) ++(each.ended ? wrong : endless);
    else if (*time <= 0) ++timeless;
  }
  const std::string all = counted(set.records.size(), "record");
  std::string text;
  if (wrong > 0)
    text += paragraph("alarm",
                      format("The result of {} of {}, or of the serial program beside it, was wrong: the tables say so, and no "
                             "time of such a record is shown or drawn.",
                             wrong, all));
  if (endless > 0)
    text += paragraph("alarm", format("{} of {} did not end, and {} given up: the tables say so, and no time of such a record is "
                                      "shown or drawn.",
                                      endless, all, endless == 1 ? "was" : "were"));
  if (timeless > 0)
    text += paragraph("note", format("{} of {} took no time that could be measured: it has no speed-up and stands in no curve.",
                                     timeless, all));
  return text;
}

std::string plain_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& lines) {
  std::string text = "<div class=\"wide\"><table class=\"records\">\n<thead><tr>";
  for (const std::string& each : head) text += format("<th scope=\"col\">{}</th>", escaped(each));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& line : lines) {
    text += "<tr>";
    for (const std::string& each : line) text += "<td>" + escaped(each) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string reason_rows(const record_set& set) {
  const auto lines = reason_lines(set);
  return lines.empty() ? "" : plain_table(reason_head(), lines);
}

std::string findings(const record_set& set) {
  std::string text;
  for (const std::string& line : set.sweep.empty() ? advice(set) : sweep_sentences(set)) {
    const std::size_t start = line.find_first_not_of(' ');
    text += paragraph(start == 0 ? "finding" : "reason", line.substr(start));
  }
  return text + (set.sweep.empty() ? reason_rows(set) : "");
}

/// What knock-outs say of it.
std::string proofs(const record_set& set) {
  if (set.knock_outs.empty()) return {};
  auto lines = why_lines(set);
  const std::vector<std::string> head = lines.front();
  lines.erase(lines.begin());
  std::string text;
  for (const std::string& each : why_sentences(set)) text += paragraph("reason", each.substr(each.find_first_not_of(' ')));
  return text + (lines.empty() ? "" : plain_table(head, lines));
}

// ---- matrices -------------------------------------------------------------------------------------------------------------

std::size_t heat(double seconds, double best) {
  const auto is_within = [&](double step) { return seconds <= step * best; };
  return static_cast<std::size_t>(std::find_if(std::begin(heat_steps), std::end(heat_steps), is_within) - std::begin(heat_steps));
}

std::string heat_legend() {
  std::string spans;
  for (std::size_t i = 0; i < std::size(heat_steps); ++i)
    spans += format("<span class=\"h{}\">{} {}</span>", i, i == 0 ? "up to" : "to", heat_steps[i]);
  spans += format("<span class=\"h{}\">more</span>", std::size(heat_steps));
  return format("<p class=\"steps\">Times the best of the matrix: {} {}: best of its row; framed: best of all.</p>\n", spans,
                best_mark);
}

std::string heat_cell(const matrix& of, std::size_t row, std::size_t column, const time_unit& unit) {
  const record* const some = of.at(row, column);
  if (some == nullptr) return format("<td>{}</td>", nothing);
  const auto seconds = of.seconds(row, column);
  if (!seconds) return format("<td class=\"wrong\">{}</td>", some->ended ? "wrong" : "did not end");
  const double best = of.best().value_or(*seconds);
  const bool is_best = column == of.best_of_row(row), is_champion = is_best && *seconds <= best;
  const std::string hint = format("{} with {}, {}: {}, {:.2f} times the best", some->pool, some->memory,
                                  counted(of.workers_asked, "worker"), duration(*seconds), best > 0 ? *seconds / best : 1);
  return format(R"(<td class="h{}{}" data-value="{}" title="{}">{}{}</td>)", heat(*seconds, best),
                is_champion ? " champion"
                : is_best   ? " best"
                            : "",
                *seconds, escaped(hint), is_best ? best_mark : "", three_digits(*seconds * unit.per_second));
}

std::string heat_row(const matrix& of, std::size_t row, const time_unit& unit) {
  std::string cells = format("<tr><th class=\"name\" scope=\"row\">{}</th>", escaped(of.pools[row]));
  for (std::size_t column = 0; column < of.memories.size(); ++column) cells += heat_cell(of, row, column, unit);
  const auto best = of.best_of_row(row);
  return cells + format("<td class=\"name\">{}</td></tr>\n", best ? escaped(of.memories[*best]) : nothing);
}

std::string heat_foot(const matrix& of, const time_unit& unit) {
  std::string cells = "<tr><th class=\"name\" scope=\"row\">median over pools</th>";
  const auto best = of.best_over_pools();
  for (std::size_t column = 0; column < of.memories.size(); ++column) {
    const auto seconds = of.over_pools(column);
    cells += format("<td{}>{}{}</td>", column == best ? " class=\"best\"" : "", column == best ? best_mark : "",
                    seconds ? three_digits(*seconds * unit.per_second) : nothing);
  }
  return cells + format("<td class=\"name\">{}</td></tr>\n", best ? escaped(of.memories[*best]) : nothing);
}

std::string heat_map(const matrix& of) {
  const time_unit unit = of.unit();
  std::string text = format(
      "<div class=\"wide\"><table class=\"heat\">\n<caption>{}: median {} in {}</caption>\n<thead><tr>"
      "<th class=\"name\" scope=\"col\">pool</th>",
      counted(of.workers_asked, "worker"), of.simulated ? "virtual times" : "times", unit.name);
  for (const std::string& each : of.memories) text += format("<th scope=\"col\">{}</th>", escaped(each));
  text += "<th class=\"name\" scope=\"col\">best manager</th></tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < of.pools.size(); ++row) text += heat_row(of, row, unit);
  return text + "</tbody>\n<tfoot>" + heat_foot(of, unit) + "</tfoot>\n</table></div>\n";
}

std::string heat_maps(const record_set& set) {
  std::string text;
  for (const matrix& each : matrices(set)) text += heat_map(each);
  return text.empty() ? "" : heat_legend() + text;
}

// ---- a cost that takes several values -------------------------------------------------------------------------------------

std::string sweep_rows(const record_set& set, const sweep_square& of) {
  const auto lines = sweep_lines(set, of);
  std::string text =
      "<div class=\"wide\"><table class=\"records\">\n<caption>" + escaped(sweep_heading(set, of)) + "</caption>\n<thead><tr>";
  for (const cell& each : lines[0]) text += format("<th scope=\"col\">{}</th>", escaped(each.text));
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 1; row < lines.size(); ++row) {
    text += "<tr>";
    for (const cell& each : lines[row])
      text += format("<td{}>{}</td>", each.number ? format(" data-value=\"{}\"", *each.number) : "", escaped(each.text));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string sweep_tables(const record_set& set) {
  std::string text;
  for (const sweep_square& each : sweep_squares(set)) text += sweep_rows(set, each);
  return text;
}

// ---- every record ---------------------------------------------------------------------------------------------------------

std::string record_row(const record_set& set, const record& of) {
  constexpr std::size_t names = 2;  // pool and memory stand to the left
  const std::vector<cell> line = table_line(set, of);
  const bool is_wrong = !median_seconds(of);
  std::string row = "<tr>";
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_last = i + 1 == line.size();
    if (i < names) row += "<td class=\"name\">";
    else if (is_wrong && is_last) row += format("<td class=\"wrong\" colspan=\"{}\">", table_head(set).size() - i);
    else if (const auto& number = line[i].number) row += format("<td data-value=\"{}\">", *number);
    else row += "<td>";
    row += escaped(line[i].text) + "</td>";
  }
  return row + "</tr>\n";
}

std::string record_table(const record_set& set) {
  if (set.records.empty()) return {};
  std::string text = "<div class=\"wide\"><table class=\"records\">\n<thead><tr>";
  for (const std::string& each : table_head(set)) {
    const bool is_name = each == "pool" || each == "memory";
    text += format("<th{} scope=\"col\">{}</th>", is_name ? " class=\"name\"" : "", escaped(each));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const record& each : set.records) text += record_row(set, each);
  return text + "</tbody>\n</table></div>\n" +
         paragraph(
             "note",
             "median: of all runs; spread: (slowest \u2212 fastest) / median; speed-up: serial time / median; T1/Ts: the "
             "time on one worker of the same pool and manager over the serial program's; ns/task: elapsed time over tasks; "
             "steals, lost: steal attempts that got tasks, and that lost a race for them; peak tasks, peak fibers, peak "
             "bytes: most tasks that waited at once, most fibers, each with its stack, that existed at once, most bytes that the "
             "memory manager held at once.");
}

std::string metric_rows(const record_set& set) {
  const std::vector<std::string> head = metric_head(set);
  if (head.empty()) return {};
  const auto style = [&](std::size_t column) {
    return head[column] == "pool" || head[column] == "memory" ? " class=\"name\"" : "";
  };
  std::string text = "<div class=\"wide\"><table class=\"records\">\n<thead><tr>";
  for (std::size_t i = 0; i < head.size(); ++i) text += format("<th{} scope=\"col\">{}</th>", style(i), escaped(head[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const record& each : set.records) {
    const std::vector<cell> line = metric_line(set, each);
    text += "<tr>";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto& number = line[i].number;
      const std::string value = number ? format(" data-value=\"{}\"", *number) : "";
      text += format("<td{}{}>{}</td>", style(i), value, escaped(line[i].text));
    }
    text += "</tr>\n";
  }
  text += "</tbody>\n</table></div>\n";
  for (const std::string& each : metric_texts(set)) text += paragraph("note", each);
  return text;
}

std::string page_head(const std::string& title) {
  // The policy makes the browser refuse what a page that needs nothing else cannot have.
  return "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" xml:lang=\"en\">\n<head>\n"
         "<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
         escaped(title) + "</title>\n<style>" + page_style + "</style>\n</head>\n";
}

}  // namespace

std::string html(const record_set& set) {
  const std::string title = (is_simulated(set) ? "Simulated task pools on " : "Task pools on ") + set.workload;
  const bool is_sweep = !set.sweep.empty();
  const std::string figures = is_sweep ? sweep_figures(set) : speedup_figures(set) + time_figure(set);
  const std::string squares = is_sweep ? sweep_tables(set) : heat_maps(set);
  return page_head(title) + "<body>\n<header>\n<h1>" + escaped(title) + "</h1>\n" + paragraph("lead", headline(set)) +
         what_is_missing(set) + "</header>\n<main>\n" + section("What differs, and why", findings(set)) +
         section("Without one cost of the machine", proofs(set)) + section("Drawings", figures) +
         section("Where the time went", is_sweep ? "" : account_figures(set)) +
         section(is_sweep ? "Times at each value of " + set.sweep : "Pools and memory managers", squares) +
         section("What the workload measured", metric_rows(set)) + section("All records", record_table(set)) +
         section("What was run, and where", facts(set)) + "</main>\n<script>" + page_script + "</script>\n</body>\n</html>\n";
}

}  // namespace teff::report
