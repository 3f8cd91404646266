// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/matrix.h"

#include "helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace teff::report {
namespace {

std::vector<std::string> lines_of_text(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Three pools with two managers: x is best for a and c, y for b and in the median.
record_set square() {
  return make_set({made_with("x", make_record("a", 2, {0.010})), made_with("y", make_record("a", 2, {0.011})),
                   made_with("x", make_record("b", 2, {0.030})), made_with("y", make_record("b", 2, {0.0125})),
                   made_with("x", make_record("c", 2, {0.040})), made_with("y", make_record("c", 2, {1.5}))});
}

TEST(matrix, names_marks_and_medians) {
  const record_set set = square();
  const auto made = matrices(set);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(lines_of_text(text_of(made[0])),
            (std::vector<std::string>{"2 workers: median times in ms; * best of its row, # best of all",
                                      "pool      x     y  best manager", "a      10.0# 11.0  x", "b      30.0  12.5* y",
                                      "c      40.0* 1500  x", "median 30.0  12.5* y"}));
}

TEST(matrix, borrows_the_set) {
  const record_set set = square();
  const matrix made = matrices(set)[0];
  EXPECT_EQ(made.at(1, 0), &set.records[2]);
  EXPECT_DOUBLE_EQ(made.best().value(), 0.010);
  EXPECT_EQ(made.best_of_row(1), 1u);
  EXPECT_EQ(made.best_over_pools(), 1u);
}

TEST(matrix, one_for_each_number_of_workers_the_fewest_first) {
  record_set set = square();
  for (std::size_t i = 0; i < 6; ++i) {
    set.records.push_back(set.records[i]);
    set.records.back().workers_asked = 1;
  }
  const auto made = matrices(set);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].workers_asked, 1u);
  EXPECT_EQ(made[1].workers_asked, 2u);
}

TEST(matrix, needs_several_pools_and_several_managers) {
  for (const record_set& set : {make_set({}), make_set({make_record("a", 1, {1}), make_record("b", 1, {1})}),
                                make_set({make_record("a", 1, {1}), made_with("x", make_record("a", 1, {1}))})})
    EXPECT_TRUE(matrices(set).empty());
}

TEST(matrix, a_wrong_result_is_neither_best_nor_in_a_median) {
  record_set set = square();
  set.records[0].verified = false;
  const auto made = matrices(set);
  EXPECT_EQ(made[0].best_of_row(0), 1u);
  EXPECT_FALSE(made[0].over_pools(0).has_value());
  const auto lines = lines_of_text(text_of(made[0]));
  EXPECT_EQ(lines[2], "a      wrong  11.0# y");
  EXPECT_EQ(lines[5], "median     -  12.5* y");
  set.records[0].ended = false;
  EXPECT_TRUE(lines_of_text(text_of(matrices(set)[0]))[2].starts_with("a      did not end  11.0# y"));
}

TEST(matrix, says_what_was_not_measured_and_what_has_no_best) {
  record_set set = square();
  set.records[2].verified = set.records[3].verified = false;
  set.records.erase(set.records.begin());
  const auto lines = lines_of_text(text_of(matrices(set)[0]));
  EXPECT_EQ(lines[2], "a       11.0#     -  y");
  EXPECT_EQ(lines[3], "b      wrong  wrong  -");
}

TEST(matrix, virtual_time_is_called_virtual) {
  record_set set = square();
  for (record& each : set.records) each.simulated = true;
  EXPECT_NE(text_of(matrices(set)[0]).find("median virtual times in ms"), std::string::npos);
}

TEST(matrix, nineteen_managers_fit_a_wide_terminal) {
  record_set set = make_set({});
  for (const char* pool : {"sdq1", "dq8"}) {
    for (const char* memory : {"bs", "l", "bk", "dl", "dlf", "dbk", "dbko", "dgbk", "dgbko", "dgbkof", "cl", "clf", "clb", "cgbk",
                               "cgbkb", "cgbko", "cgbkob", "cgbk1", "cgbk1b"})
      set.records.push_back(made_with(memory, make_record(pool, 2, {memory == std::string("dlf") ? 0.0004 : 0.12})));
  }
  for (const std::string& line : lines_of_text(text_of(matrices(set)[0]))) EXPECT_LE(line.size(), 160u) << line;
}

TEST(matrix, the_unit_is_that_of_the_best_unless_that_makes_long_numbers) {
  record_set set = square();
  set.records[0].seconds = {0.0004};
  set.records[5].seconds = {0.099};
  EXPECT_STREQ(matrices(set)[0].unit().name, "us");
  set.records[5].seconds = {0.1};
  EXPECT_STREQ(matrices(set)[0].unit().name, "ms");
}

TEST(matrix, zero_times_are_times) {
  record_set set = square();
  for (record& each : set.records) each.seconds = {0};
  EXPECT_NE(text_of(matrices(set)[0]).find("0.00#"), std::string::npos);
}

}  // namespace
}  // namespace teff::report
