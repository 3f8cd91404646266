// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/plot.h"

#include "helpers.h"
#include "report/figures.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

using kind = scale::kind;

TEST(scale, places_its_ends) {
  const scale up(kind::linear, 0, 10, 300, 100);
  EXPECT_DOUBLE_EQ(up.place(0), 300);
  EXPECT_DOUBLE_EQ(up.place(10), 100);
  EXPECT_DOUBLE_EQ(up.place(5), 200);
  EXPECT_DOUBLE_EQ(scale(kind::logarithmic, 1, 64, 0, 60).place(8), 30);
  EXPECT_DOUBLE_EQ(scale(kind::linear, 3, 3, 0, 60).place(3), 30);
}

TEST(scale, ticks_are_round_and_within) {
  EXPECT_EQ(scale(kind::linear, 0, 1, 0, 1).ticks(6), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(scale(kind::linear, 0, 101, 0, 1).ticks(6), (std::vector<double>{0, 50, 100}));
  EXPECT_EQ(scale(kind::linear, 0, 2.2e-7, 0, 1).ticks(3), (std::vector<double>{0, 2e-7}));
  EXPECT_EQ(scale(kind::logarithmic, 0.9, 70, 0, 1).ticks(9), (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(scale(kind::logarithmic, 0.9, 70, 0, 1).ticks(5), (std::vector<double>{1, 4, 16, 64}));
  EXPECT_EQ(scale(kind::linear, 3, 3, 0, 1).ticks(5), (std::vector<double>{3}));
}

TEST(scale, never_more_ticks_than_asked_for) {
  for (const kind how : {kind::linear, kind::logarithmic}) {
    for (double most = 1.1; most < 1e9; most *= 1.7) {
      for (const std::size_t at_most : {2u, 5u, 9u}) EXPECT_LE(scale(how, 1, most, 0, 1).ticks(at_most).size(), at_most) << most;
    }
  }
}

plot_line line_of(const std::string& name, const std::vector<std::pair<double, double>>& points) {
  plot_line made{name, {}};
  for (const auto& [x, y] : points) made.points.emplace_back(plot_point{x, y, y, y, name});
  return made;
}

TEST(axes, near_numbers_of_workers_are_linear_from_zero) {
  const plot_axes axes = axes_for({line_of("a", {{1, 0.9}, {2, 1.8}, {4, 3}})}, "workers");
  EXPECT_EQ(axes.x.how(), kind::linear);
  EXPECT_EQ(axes.x.least(), 0);
  EXPECT_GE(axes.y.most(), 4);  // the whole linear bound
}

TEST(axes, far_numbers_of_workers_are_logarithmic_and_say_so) {
  const plot_axes axes = axes_for({line_of("a", {{1, 0.9}, {64, 30}})}, "workers");
  EXPECT_EQ(axes.x.how(), kind::logarithmic);
  EXPECT_EQ(axes.y.how(), kind::logarithmic);
  EXPECT_EQ(axes.x_label, "workers, logarithmic");
  EXPECT_LE(axes.y.least(), 0.9);
}

TEST(axes, a_bound_far_above_the_lines_is_cut_off) {
  const plot_axes axes = axes_for({line_of("a", {{1, 0.5}, {16, 0.7}})}, "workers");
  EXPECT_LT(axes.y.most(), 4);
  EXPECT_GE(axes.y.most(), 1);
}

TEST(plot, a_missing_point_is_a_gap) {
  plot_line line = line_of("a", {{1, 1}, {2, 2}, {3, 3}, {4, 4}});
  line.points[2] = std::nullopt;
  const std::string drawn = line_plot({"id", "title", "description"}, axes_for({line}, "workers"), {line});
  const std::size_t start = drawn.find(" d=\"M", drawn.find("class=\"curve"));
  const std::string path = drawn.substr(start, drawn.find("/>", start) - start);
  EXPECT_EQ(count_of(path, "M"), 2u) << path;
  EXPECT_EQ(count_of(path, "L"), 1u) << path;
  EXPECT_EQ(count_of(drawn, "<g class=\"point"), 3u);
}

TEST(plot, lines_differ_without_colours) {
  std::vector<plot_line> lines;
  for (std::size_t i = 0; i < lines_per_plot; ++i) lines.push_back(line_of(std::to_string(i), {{1, 1}, {2, 2}}));
  const std::string drawn = line_plot({"id", "title", "description"}, axes_for(lines, "workers"), lines);
  for (const std::string attribute : {"stroke-dasharray=\"", "class=\"marker\" transform"}) {
    // Once in the drawing and once in the legend at least.
    EXPECT_GE(count_of(drawn, attribute), 2 * lines_per_plot);
  }
  EXPECT_EQ(count_of(drawn, "linear bound"), 2u);
}

TEST(plot, has_texts_for_those_who_do_not_see_it) {
  const plot_line line = line_of("a<b", {{1, 1}, {2, 2}});
  const std::string drawn = line_plot({"id", "title & more", "a < b"}, axes_for({line}, "workers"), {line});
  EXPECT_NE(drawn.find("<title id=\"id-title\">title &amp; more</title><desc id=\"id-desc\">a &lt; b</desc>"), std::string::npos);
  EXPECT_EQ(drawn.find("a<b"), std::string::npos);
}

TEST(dots, zero_times_are_drawn) {
  const std::string drawn = dot_plot({"id", "t", "d"}, {{"a", 0, 0, 0, true, "0.00 ns", "hint"}}, 0.0, "time in ns");
  EXPECT_EQ(drawn.find("nan"), std::string::npos);
  EXPECT_EQ(drawn.find("inf"), std::string::npos);
  EXPECT_NE(drawn.find("data-value=\"0\""), std::string::npos);
}

TEST(dots, a_far_serial_program_does_not_squeeze_them) {
  const std::vector<plot_row> rows = {{"a", 10, 9, 11, true, "10", ""}, {"b", 12, 12, 12, false, "12", ""}};
  EXPECT_EQ(count_of(dot_plot({"id", "t", "d"}, rows, 500.0, "ms"), "class=\"serial\""), 0u);
  EXPECT_EQ(count_of(dot_plot({"id", "t", "d"}, rows, 15.0, "ms"), "class=\"serial\""), 1u);
}

TEST(dots, times_far_apart_are_logarithmic) {
  const std::vector<plot_row> rows = {{"a", 1, 1, 1, true, "1", ""}, {"b", 100, 100, 100, false, "100", ""}};
  EXPECT_NE(dot_plot({"id", "t", "d"}, rows, std::nullopt, "time in ms").find("time in ms, logarithmic"), std::string::npos);
}

TEST(figures, each_pool_with_its_best_manager_the_best_first) {
  const record_set set = make_set({made_with("x", make_record("a", 1, {0.1})), made_with("x", make_record("a", 2, {0.09})),
                                   made_with("y", make_record("a", 1, {0.2})), made_with("y", make_record("a", 2, {0.06})),
                                   made_with("x", make_record("b", 1, {0.1})), made_with("x", make_record("b", 2, {0.05}))});
  const auto lines = lines_of(set);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].name, "b with x");
  EXPECT_EQ(lines[1].name, "a with y");
  EXPECT_EQ(lines[1].records, (std::vector<const record*>{&set.records[2], &set.records[3]}));
}

TEST(figures, of_one_pool_there_is_a_line_for_each_manager) {
  EXPECT_EQ(lines_of(make_set({made_with("x", make_record("a", 1, {0.1})), made_with("y", make_record("a", 1, {0.2}))})).size(),
            2u);
}

TEST(figures, what_has_no_time_is_not_drawn) {
  record wrong = make_record("a", 2, {0.01});
  wrong.verified = false;
  EXPECT_TRUE(lines_of(make_set({wrong})).empty());
  EXPECT_EQ(time_figure(make_set({wrong})), "");
  EXPECT_EQ(speedup_figures(make_set({make_record("a", 1, {0}), make_record("a", 2, {0})})), "");
}

TEST(figures, curves_need_several_numbers_of_workers) {
  EXPECT_EQ(speedup_figures(make_set({make_record("a", 2, {0.1}), make_record("b", 2, {0.1})})), "");
  EXPECT_NE(speedup_figures(make_set({make_record("a", 1, {0.1}), make_record("a", 2, {0.1})})), "");
}

/// Of so many pools, on one and two workers.
std::string speedups_of(std::size_t pools) {
  std::vector<record> records;
  for (std::size_t i = 0; i < pools; ++i) {
    for (const unsigned workers : {1u, 2u}) {
      records.push_back(make_record("pool" + std::to_string(i), workers, {0.1 + static_cast<double>(i)}));
    }
  }
  return speedup_figures(make_set(records));
}

TEST(figures, more_lines_than_a_drawing_holds_are_shared_out_evenly) {
  const std::string figures = speedups_of(16);
  EXPECT_EQ(count_of(figures, "<svg "), 3u);
  EXPECT_EQ(count_of(figures, "<g class=\"point"), 32u);
  EXPECT_NE(figures.find("part 3 of 3"), std::string::npos);
}

TEST(figures, what_fills_its_drawings_needs_no_further_one) {
  EXPECT_EQ(count_of(speedups_of(lines_per_plot), "<svg "), 1u);
  EXPECT_EQ(count_of(speedups_of(lines_per_plot + 1), "<svg "), 2u);
  EXPECT_EQ(count_of(speedups_of(2 * lines_per_plot), "<svg "), 2u);
}

TEST(figures, a_run_without_time_ends_the_spread_at_the_median) {
  const std::string figures =
      speedup_figures(make_set({make_record("a", 1, {0, 0.1, 0.2}), make_record("a", 2, {0.1, 0.1, 0.1})}));
  EXPECT_EQ(figures.find("inf"), std::string::npos);
  EXPECT_NE(figures.find("data-value=\"1\" data-low=\"0.5\" data-high=\"1\""), std::string::npos) << figures;
}

}  // namespace
}  // namespace teff::report
