// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/record.h"

#include "helpers.h"
#include "report/json.h"
#include "report/text.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

TEST(record, median_of_odd_and_even_numbers) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median({7}), 7);
}

TEST(record, the_typical_run_is_the_lower_middle_one) {
  EXPECT_EQ(median_index({3, 1, 2}), 2u);
  EXPECT_EQ(median_index({4, 1, 2, 3}), 2u);
  EXPECT_EQ(median_index({5, 5, 5}), 1u);
}

TEST(record, spread_and_quantiles) {
  EXPECT_DOUBLE_EQ(spread({1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(spread({2}), 0);
  EXPECT_DOUBLE_EQ(spread({0, 0}), 0);
  EXPECT_DOUBLE_EQ(quantile({5, 1, 2, 3, 4}, 0.75), 4);
  EXPECT_DOUBLE_EQ(quantile({5, 1, 2, 3, 4}, 0.25), 2);
}

TEST(record, the_middle_half_leaves_out_as_many_below_as_above) {
  using half = std::pair<double, double>;
  EXPECT_EQ(middle_half({7}), half(7, 7));
  EXPECT_EQ(middle_half({3, 1, 2}), half(1, 3));
  EXPECT_EQ(middle_half({4, 1, 2, 9, 3}), half(2, 4));
  EXPECT_EQ(middle_half({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), half(3, 9));
}

TEST(record, nothing_is_so_many_times_as_fast_as_a_serial_program_that_takes_no_time) {
  record of;
  of.seconds = {1e-5};
  of.verified = true;
  of.serial_seconds = {2e-5};
  EXPECT_EQ(speedup(of), 2.0);
  of.serial_seconds = {8e-9};
  EXPECT_FALSE(speedup(of));
}

TEST(record, a_wrong_result_has_no_time) {
  record some = make_record("dq8", 2, {0.05});
  EXPECT_DOUBLE_EQ(speedup(some).value(), 2);
  some.verified = false;
  EXPECT_FALSE(median_seconds(some).has_value());
  EXPECT_FALSE(speedup(some).has_value());
}

TEST(record, json_says_null_for_what_was_not_measured) {
  record some = make_record("dq8", 2, {});
  some.verified = false;
  const std::string text = json(make_set({some}));
  EXPECT_NE(text.find("\"median_seconds\": null"), std::string::npos) << text;
  EXPECT_NE(text.find("\"speedup\": null"), std::string::npos) << text;
}

TEST(record, json_survives_texts_that_are_no_utf8) {
  record_set set = make_set({make_record("dq8", 1, {1})});
  set.machine.processor = "\xff\xfe";
  EXPECT_NO_THROW(json(set));
}

TEST(text, numbers_for_people) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(78'176'299), "78,176,299");
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(2, "run"), "2 runs");
}

TEST(text, durations_have_three_digits_and_a_unit) {
  EXPECT_EQ(duration(0), "0.00 ns");
  EXPECT_EQ(duration(1.234e-9), "1.23 ns");
  EXPECT_EQ(duration(12.34e-6), "12.3 us");
  EXPECT_EQ(duration(0.9994), "999 ms");
  EXPECT_EQ(duration(0.9996), "1.00 s");
  EXPECT_EQ(duration(99.96), "100 s");
}

TEST(text, columns_count_characters_and_end_without_spaces) {
  EXPECT_EQ(columns({{"a", "b"}, {"\u2026\u2026", "cc"}, {"d"}}, {align::left, align::right}), "a    b\n\u2026\u2026  cc\nd\n");
}

}  // namespace
}  // namespace teff::report
