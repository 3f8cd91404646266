// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the time went, drawn: a bar per worker, with a piece for each part. Colours are classes p-NAME of the page's style.
#include "report/account.h"

#include "report/figures.h"
#include "report/markup.h"
#include "report/plot.h"
#include "report/text.h"

#include <algorithm>

namespace teff::report {

namespace {

constexpr std::size_t drawings_at_most = 8;
constexpr double bars_left = 84, bars_width = 640, legend_height = 22;
constexpr double swatch = 14, swatch_room = 20, legend_gap = 16;
constexpr std::size_t legend_columns = 3;
/// Narrower pieces are not seen.
constexpr double least_piece = 0.05;

std::string bar(const record& of, std::size_t worker, double y, double height) {
  std::string drawn;
  double x = bars_left;
  for (const account_part& each : of.account) {
    const double share = static_cast<double>(each.ns_by_worker[worker]) / static_cast<double>(of.account_ns);
    const double piece = share * bars_width;
    if (piece >= least_piece)
      drawn += format(R"(<rect class="part p-{}" data-value="{}" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}">)"
                      R"(<title>worker {}: {} {:.1f} % ({})</title></rect>)",
                      escaped(each.name), each.ns_by_worker[worker], x, y, piece, height, worker, escaped(in_words(each.name)),
                      100 * share, duration(static_cast<double>(each.ns_by_worker[worker]) * 1e-9));
    x += piece;
  }
  return drawn + "\n";
}

std::string legend_text(const record& of, const account_part& part) {
  return format("{} {:.1f} %", in_words(part.name), 100 * of.share(part.name).value_or(0));
}

/// The parts that have some time: the others have no piece.
std::vector<const account_part*> shown_parts(const record& of) {
  std::vector<const account_part*> shown;
  for (const account_part& each : of.account) {
    if (each.total() != 0) shown.push_back(&each);
  }
  return shown;
}

/// Returns: what a column of the legend takes, so that its longest text stays beside the next one.
double legend_column(const record& of) {
  double widest = 0;
  for (const account_part* each : shown_parts(of)) widest = std::max(widest, text_width(legend_text(of, *each)));
  return swatch_room + widest + legend_gap;
}

std::string legend(const record& of, double top) {
  const std::vector<const account_part*> shown = shown_parts(of);
  const double width = legend_column(of);
  std::string drawn;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double x = bars_left + static_cast<double>(i % legend_columns) * width;
    const double y = top + static_cast<double>(i / legend_columns) * legend_height;
    drawn += format(R"(<rect class="part p-{0}" x="{1:.2f}" y="{2:.2f}" width="{3}" height="{3}"/>)", escaped(shown[i]->name), x,
                    y, swatch);
    drawn += format(R"(<text x="{:.2f}" y="{:.2f}">{}</text>)", x + swatch_room, y + 12, escaped(legend_text(of, *shown[i])));
  }
  return drawn + "\n";
}

std::string drawing(const record& of, std::size_t number) {
  const std::size_t workers = of.account.front().ns_by_worker.size();
  const double height = workers <= 8 ? 20 : workers <= 64 ? 8 : 3, step = height + (workers <= 8 ? 6 : 1);
  const double bars = static_cast<double>(workers) * step;
  const auto lines = static_cast<double>((shown_parts(of).size() + legend_columns - 1) / legend_columns);
  const double whole = 10 + bars + 12 + legend_height * lines;
  const double width = bars_left + std::max(bars_width + 20, static_cast<double>(legend_columns) * legend_column(of));
  const std::string title = format("Where the time of {} with {} went on {}", of.pool, of.memory, counted(workers, "worker"));
  std::string text = title + ".";
  for (const account_part& each : of.account)
    text += format(" {}: {:.1f} %;", in_words(each.name), 100 * of.share(each.name).value_or(0));
  std::string drawn =
      format(R"(<svg xmlns="http://www.w3.org/2000/svg" id="account-{0}" viewBox="0 0 {1:.0f} {2:.0f}" width="{1:.0f}" )"
             R"(height="{2:.0f}" role="img" aria-labelledby="account-{0}-title account-{0}-desc">)"
             R"(<title id="account-{0}-title">{3}</title><desc id="account-{0}-desc">{4}</desc>)"
             "\n",
             number, width, whole, escaped(title), escaped(text));
  for (std::size_t i = 0; i < workers; ++i) {
    const double y = 10 + static_cast<double>(i) * step;
    if (workers <= 8 || i % 8 == 0)
      drawn += format(R"(<text class="tick" x="{:.2f}" y="{:.2f}" text-anchor="end">worker {}</text>)", bars_left - 8,
                      y + height * 0.5 + 4, i);
    drawn += bar(of, i, y, height);
  }
  drawn += legend(of, 10 + bars + 12);
  return drawn + "</svg>\n";
}

}  // namespace

std::string account_figures(const record_set& set) {
  std::string figures;
  std::size_t number = 0;
  for (const record_line& line : lines_of(set)) {
    const record& of = *line.records.back();
    if (of.account_ns == 0 || of.account.empty() || number == drawings_at_most) continue;
    const std::string title =
        format("{} with {}, {}: {}", of.pool, of.memory, counted(of.workers, "worker"), duration(time_of(of)));
    std::string caption = title + ".";
    for (const std::string& each : critical_resources(of)) caption += " Here " + each + ".";
    figures += "<figure>\n" + drawing(of, ++number) + "<figcaption>" + escaped(caption) + "</figcaption>\n</figure>\n";
  }
  return figures;
}

}  // namespace teff::report
