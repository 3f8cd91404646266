// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/plot.h"

#include "report/markup.h"
#include "report/text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace teff::report {

namespace {

/// How a line looks besides its colour, which is that of the class s0, s1, …
struct look {
  const char* dashes;
  const char* marker;  ///< a path around the origin
};
constexpr look looks[] = {
    {"none", "M-4.2,0a4.2,4.2 0 1,0 8.4,0a4.2,4.2 0 1,0 -8.4,0z"},  // disc
    {"9 4", "M-3.8,-3.8h7.6v7.6h-7.6z"},                            // square
    {"2 3", "M0,-5L4.6,3.6H-4.6z"},                                 // triangle
    {"9 3 2 3", "M0,-5.4L4.6,0L0,5.4L-4.6,0z"},                     // diamond
    {"5 2", "M0,5L4.6,-3.6H-4.6z"},                                 // triangle on its tip
    {"14 4", "M-4,-4L4,4M-4,4L4,-4"},                               // cross
    {"9 3 2 3 2 3", "M0,-5V5M-5,0H5"},                              // plus
};
static_assert(std::size(looks) == lines_per_plot);

// In units of the drawing, which are pixels where the page is wide enough.
constexpr double left_margin = 84, top_margin = 14, bottom_margin = 50;
constexpr double plot_width = 540, plot_height = 380;
constexpr double right = left_margin + plot_width, bottom = top_margin + plot_height;
constexpr double letter_width = 7.6;
constexpr double line_height = 22;
constexpr double least_tick_gap = 30;  // four digits
constexpr double half_cap = 4;
/// Largest over smallest value from which an axis is logarithmic: numbers of workers, times, costs.
constexpr double workers_far_apart = 32, times_far_apart = 16, costs_far_apart = 32;
/// More of the linear bound than this many times the best value is not shown: the lines would lie on the ground.
constexpr double bound_over_best = 4;

std::string head(const plot_text& text, double width, double height) {
  return format(R"(<svg xmlns="http://www.w3.org/2000/svg" id="{0}" viewBox="0 0 {1:.0f} {2:.0f}" width="{1:.0f}" )"
                R"(height="{2:.0f}" role="img" aria-labelledby="{0}-title {0}-desc"><title id="{0}-title">{3}</title>)"
                R"(<desc id="{0}-desc">{4}</desc>)"
                "\n",
                escaped(text.id), width, height, escaped(text.title), escaped(text.description));
}

std::string straight(const char* style, double x1, double y1, double x2, double y2) {
  return format(R"(<line class="{}" x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}"/>)", style, x1, y1, x2, y2);
}

/// `anchor`: start, middle or end.
std::string label(double x, double y, const char* anchor, const std::string& text) {
  return format(R"(<text x="{:.2f}" y="{:.2f}" text-anchor="{}">{}</text>)", x, y, anchor, escaped(text));
}

std::string tick_label(const char* axis, double value, double x, double y, const char* anchor) {
  return format(R"(<text class="tick {}" data-value="{}" x="{:.2f}" y="{:.2f}" text-anchor="{}">{:.4g}</text>)", axis, value, x,
                y, anchor, value);
}

std::string frame(double x, double y, double width, double height) {
  return format(R"(<rect class="frame" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)", x, y, width, height);
}

// ---- lines -------------------------------------------------------------------------------------------------------------

/// How the drawing's elements call what an axis shows.
const char* x_name(const plot_axes& axes) { return axes.of_speedup ? "workers" : "cost"; }
const char* y_name(const plot_axes& axes) { return axes.of_speedup ? "speedup" : "value"; }

std::string horizontal_axis(const plot_axes& axes) {
  std::string drawn = label((left_margin + right) / 2, bottom + 40, "middle", axes.x_label);
  double last = left_margin - least_tick_gap;
  for (const double each : axes.places) {
    const double x = axes.x.place(each);
    if (x - last < least_tick_gap) continue;
    last = x;
    drawn += straight("grid", x, top_margin, x, bottom) + tick_label(x_name(axes), each, x, bottom + 18, "middle");
  }
  return drawn + "\n";
}

/// Powers of two stand farther apart than they look: there is room for more of them.
std::size_t upright_ticks(const plot_axes& axes) { return axes.y.how() == scale::kind::logarithmic ? 11 : 7; }

std::string upright_axis(const plot_axes& axes) {
  std::string drawn = format(R"svg(<text transform="translate(16,{:.2f}) rotate(-90)" text-anchor="middle">{}</text>)svg",
                             (top_margin + bottom) / 2, escaped(axes.y_label));
  for (const double each : axes.y.ticks(upright_ticks(axes))) {
    const double y = axes.y.place(each);
    drawn += straight("grid", left_margin, y, right, y) + tick_label(y_name(axes), each, left_margin - 8, y + 4.5, "end");
  }
  return drawn + "\n";
}

/// Speed-up equal to the number of workers, as far as both axes reach; named where no line should be: above it.
std::string linear_bound(const plot_axes& axes) {
  const double first = std::max(axes.x.least(), axes.y.least());
  const double last = std::min(axes.x.most(), axes.y.most());
  if (first >= last) return {};
  const double x1 = axes.x.place(first), y1 = axes.y.place(first);
  const double x2 = axes.x.place(last), y2 = axes.y.place(last);
  constexpr double name_at = 0.82;
  return straight("bound", x1, y1, x2, y2) +
         label(x1 + name_at * (x2 - x1) - 8, y1 + name_at * (y2 - y1) - 4, "end", "linear bound") + "\n";
}

std::string serial_level(const plot_axes& axes) {
  if (axes.y.least() > 1 || axes.y.most() < 1) return {};
  const double y = axes.y.place(1);
  return straight("serial", left_margin, y, right, y) + "\n";
}

std::string marker(std::size_t which, double x, double y) {
  return format(R"svg(<path class="marker" transform="translate({:.2f},{:.2f})" d="{}"/>)svg", x, y, looks[which].marker);
}

std::string curve(std::size_t which, const plot_axes& axes, const plot_line& line) {
  std::string path;
  bool drawing = false;
  for (const auto& each : line.points) {
    if (each) path += format("{}{:.2f},{:.2f}", drawing ? "L" : "M", axes.x.place(each->x), axes.y.place(each->y));
    drawing = each.has_value();
  }
  return format(R"(<path class="curve s{}" stroke-dasharray="{}" d="{}"/>)", which, looks[which].dashes, path) + "\n";
}

std::string upright_whisker(double x, double low, double high) {
  return straight("whisker", x, low, x, high) + straight("whisker", x - half_cap, low, x + half_cap, low) +
         straight("whisker", x - half_cap, high, x + half_cap, high);
}

std::string point(std::size_t which, const plot_axes& axes, const plot_line& line, const plot_point& of) {
  const double x = axes.x.place(of.x), y = axes.y.place(of.y);
  std::string drawn = format(R"(<g class="point s{}" data-line="{}" data-{}="{}" data-value="{}" data-low="{}" )"
                             R"(data-high="{}"><title>{}</title><circle class="near" cx="{:.2f}" cy="{:.2f}" r="10"/>)",
                             which, escaped(line.name), x_name(axes), of.x, of.y, of.low, of.high, escaped(of.text), x, y);
  if (of.low < of.high) drawn += upright_whisker(x, axes.y.place(of.low), axes.y.place(of.high));
  return drawn + marker(which, x, y) + "</g>\n";
}

std::string legend_line(const char* style, double y, const std::string& name) {
  const double x = right + 16;
  return straight(style, x, y, x + 34, y) + label(x + 44, y + 4.5, "start", name) + "\n";
}

std::string legend(const plot_axes& axes, const std::vector<plot_line>& lines) {
  std::string drawn = "<g class=\"legend\">\n";
  double y = top_margin + 12;
  for (std::size_t i = 0; i < lines.size(); ++i, y += line_height) {
    const double x = right + 16;
    drawn += format(R"(<path class="curve s{0}" stroke-dasharray="{1}" d="M{2:.2f},{3:.2f}h34"/><g class="s{0}">)", i,
                    looks[i].dashes, x, y) +
             marker(i, x + 17, y) + "</g>" + label(x + 44, y + 4.5, "start", lines[i].name) + "\n";
  }
  y += line_height / 2;
  if (axes.of_speedup)
    drawn += legend_line("bound", y, "linear bound") + legend_line("serial", y + line_height, "serial program");
  return drawn + "</g>\n";
}

double legend_width(const std::vector<plot_line>& lines) {
  double widest = text_width("serial program");
  for (const plot_line& each : lines) widest = std::max(widest, text_width(each.name));
  return 16 + 44 + widest + 8;
}

/// The smallest and the largest that there is.
struct extent {
  double least, most;
};

extent extent_of(const std::vector<plot_line>& lines, double plot_point::* low, double plot_point::* high) {
  std::optional<extent> found;
  for (const plot_line& line : lines) {
    for (const auto& each : line.points) {
      if (!each) continue;
      const double least = (*each).*low, most = (*each).*high;
      found = found ? extent{std::min(found->least, least), std::max(found->most, most)} : extent{least, most};
    }
  }
  return found.value_or(extent{1, 1});
}

std::vector<double> places_of(const std::vector<plot_line>& lines) {
  std::set<double> places;
  for (const plot_line& line : lines) {
    for (const auto& each : line.points) {
      if (each) places.insert(each->x);
    }
  }
  return {places.begin(), places.end()};
}

// ---- a dot for each row ---------------------------------------------------------------------------------------------------

bool is_near(const extent& values, double serial) { return serial <= 2 * values.most && serial >= values.least / 2; }

scale dot_scale(const std::vector<plot_row>& rows, const std::optional<double>& serial, double from, double to) {
  extent values = {rows.front().low, rows.front().high};
  for (const plot_row& each : rows) values = {std::min(values.least, each.low), std::max(values.most, each.high)};
  if (serial && is_near(values, *serial)) values = {std::min(values.least, *serial), std::max(values.most, *serial)};
  if (values.least > 0 && values.most > times_far_apart * values.least)
    return {scale::kind::logarithmic, values.least / 1.15, values.most * 1.15, from, to};
  return {scale::kind::linear, 0, values.most > 0 ? values.most * 1.04 : 1, from, to};
}

std::string dot_axis(const scale& values, double low, const std::string& name) {
  std::string drawn;
  for (const double each : values.ticks(9)) {
    const double x = values.place(each);
    drawn += straight("grid", x, top_margin + line_height, x, low) + tick_label("value", each, x, low + 18, "middle");
  }
  const char* const kind = values.how() == scale::kind::logarithmic ? ", logarithmic" : "";
  return drawn + label((values.from() + values.to()) / 2, low + 40, "middle", name + kind) + "\n";
}

std::string dot(const scale& values, double y, const plot_row& of) {
  const double x = values.place(of.value), low = values.place(of.low), high = values.place(of.high);
  std::string drawn = format(R"(<g class="point {}" data-line="{}" data-value="{}" data-low="{}" data-high="{}">)"
                             R"(<title>{}</title>)",
                             of.is_tie ? "tie" : "slower", escaped(of.name), of.value, of.low, of.high, escaped(of.text));
  if (of.low < of.high) {
    drawn += straight("whisker", low, y, high, y) + straight("whisker", low, y - half_cap, low, y + half_cap) +
             straight("whisker", high, y - half_cap, high, y + half_cap);
  }
  drawn += marker(0, x, y) + "</g>";
  return drawn + label(values.from() - 10, y + 4.5, "end", of.name) + label(values.to() + 10, y + 4.5, "start", of.shown) + "\n";
}

std::string serial_mark(const scale& values, double low, const std::optional<double>& serial) {
  if (!serial || *serial < values.least() || *serial > values.most()) return {};
  const double x = values.place(*serial);
  const bool is_far_left = x - values.from() < (values.to() - values.from()) / 2;
  return straight("serial", x, top_margin + line_height - 6, x, low) +
         label(x, top_margin + line_height - 10, is_far_left ? "start" : "end", "serial program") + "\n";
}

}  // namespace

double text_width(const std::string& text) { return letter_width * static_cast<double>(text.size()); }

plot_axes axes_for(const std::vector<plot_line>& lines, const std::string& workers_label) {
  const std::vector<double> numbers = places_of(lines);
  const extent values = extent_of(lines, &plot_point::low, &plot_point::high);
  const bool is_logarithmic = numbers.back() > workers_far_apart * numbers.front();
  const double bound = std::min(numbers.back(), bound_over_best * values.most);
  const double most = std::max({values.most * 1.08, bound, numbers.front() * 1.08});
  const double least = is_logarithmic ? std::min({values.least, numbers.front(), 1.0}) / 1.15 : 0;
  const scale::kind kind = is_logarithmic ? scale::kind::logarithmic : scale::kind::linear;
  // Some room beside the outermost points, which the drawings of the markers need.
  const double first = is_logarithmic ? numbers.front() / 1.15 : 0;
  const double last = is_logarithmic ? numbers.back() * 1.15 : numbers.back() * 1.04;
  const char* const suffix = is_logarithmic ? ", logarithmic" : "";
  return {scale(kind, first, last, left_margin, right),
          scale(kind, least, most, bottom, top_margin),
          numbers,
          workers_label + suffix,
          std::string("speed-up: serial time / median time") + suffix,
          true};
}

plot_axes axes_of_times(const std::vector<plot_line>& lines, const std::string& x_label, const std::string& y_label) {
  const std::vector<double> places = places_of(lines);
  const extent values = extent_of(lines, &plot_point::low, &plot_point::high);
  const bool far_x = places.front() > 0 && places.back() > costs_far_apart * places.front();
  const bool far_y = values.least > 0 && values.most > times_far_apart * values.least;
  const scale x = far_x ? scale(scale::kind::logarithmic, places.front() / 1.15, places.back() * 1.15, left_margin, right)
                        : scale(scale::kind::linear, 0, places.back() > 0 ? places.back() * 1.04 : 1, left_margin, right);
  const scale y = far_y ? scale(scale::kind::logarithmic, values.least / 1.15, values.most * 1.15, bottom, top_margin)
                        : scale(scale::kind::linear, 0, values.most > 0 ? values.most * 1.08 : 1, bottom, top_margin);
  const auto labelled = [](const std::string& label, bool far) { return label + (far ? ", logarithmic" : ""); };
  return {x, y, places, labelled(x_label, far_x), labelled(y_label, far_y), false};
}

std::string line_plot(const plot_text& text, const plot_axes& axes, const std::vector<plot_line>& lines) {
  std::string drawn = head(text, right + legend_width(lines), bottom + bottom_margin);
  drawn += horizontal_axis(axes) + upright_axis(axes) + frame(left_margin, top_margin, plot_width, plot_height);
  if (axes.of_speedup) drawn += serial_level(axes) + linear_bound(axes);
  for (std::size_t i = 0; i < lines.size(); ++i) drawn += curve(i, axes, lines[i]);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const auto& each : lines[i].points) {
      if (each) drawn += point(i, axes, lines[i], *each);
    }
  }
  return drawn + legend(axes, lines) + "</svg>\n";
}

std::string dot_plot(const plot_text& text, const std::vector<plot_row>& rows, const std::optional<double>& serial,
                     const std::string& label_text) {
  double names = 0, values_shown = 0;
  for (const plot_row& each : rows) {
    names = std::max(names, text_width(each.name));
    values_shown = std::max(values_shown, text_width(each.shown));
  }
  const scale values = dot_scale(rows, serial, names + 18, names + 18 + plot_width);
  const double top = top_margin + line_height, low = top + line_height * static_cast<double>(rows.size());
  std::string drawn = head(text, values.to() + 18 + values_shown, low + bottom_margin) + dot_axis(values, low, label_text) +
                      frame(values.from(), top, plot_width, low - top) + serial_mark(values, low, serial);
  double y = top + line_height / 2;
  for (const plot_row& each : rows) {
    drawn += dot(values, y, each);
    y += line_height;
  }
  return drawn + "</svg>\n";
}

}  // namespace teff::report
