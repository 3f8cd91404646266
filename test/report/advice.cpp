// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "helpers.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

TEST(advice, medians_within_noise_are_ties) {
  EXPECT_TRUE(is_tie(make_record("a", 1, {1.0}), make_record("b", 1, {1.14})));
  EXPECT_TRUE(is_tie(make_record("b", 1, {1.14}), make_record("a", 1, {1.0})));
  EXPECT_FALSE(is_tie(make_record("a", 1, {1.0}), make_record("b", 1, {1.2})));
}

TEST(advice, medians_within_the_other_s_middle_half_are_ties) {
  const record noisy = make_record("a", 1, {0.9, 0.95, 1.0, 1.3, 1.4});
  EXPECT_TRUE(is_tie(noisy, make_record("b", 1, {1.2})));
  // One slow run is no noise of that size.
  EXPECT_FALSE(is_tie(make_record("a", 1, {0.98, 0.99, 1.0, 1.01, 1.4}), make_record("b", 1, {1.2})));
}

TEST(advice, virtual_time_is_finer_than_measured_time) {
  record a = make_record("a", 1, {1.0}), b = make_record("b", 1, {1.1});
  EXPECT_TRUE(is_tie(a, b));
  a.simulated = b.simulated = true;
  EXPECT_FALSE(is_tie(a, b));
}

TEST(advice, says_so_if_there_is_no_difference) {
  const auto lines = advice(make_set({make_record("a", 2, {0.05}), make_record("b", 2, {0.052}), make_record("c", 2, {0.051})}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "2 workers: no difference beyond noise between all 3.");
}

TEST(advice, names_the_counter_and_its_difference) {
  const auto lines = advice(make_set({make_record("slow", 2, {0.09}, {{"steals_lost", 500'000}, {"parks", 3}}),
                                      make_record("fast", 2, {0.05}, {{"steals_lost", 12}, {"parks", 5}})}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(contains(lines[0], "2 workers: fast with dlf is best, 50.0 ms")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "slow with dlf takes 1.80 times as long")) << lines[1];
  EXPECT_TRUE(contains(lines[1], "steals_lost 500,000 against 12 (499,988 more)")) << lines[1];
}

TEST(advice, names_an_unequal_distribution) {
  record slow = make_record("dq1", 2, {0.08}), fast = make_record("dq8", 2, {0.05});
  slow.tasks_by_worker = {618, 382};
  const auto lines = advice(make_set({slow, fast}));
  EXPECT_TRUE(contains(lines[1], "its busiest worker ran 61.8 % of the tasks against 50.0 % (11.8 points more)")) << lines[1];
}

TEST(advice, names_idle_time_only_if_nothing_else_accounts_for_it) {
  const std::vector<counter> idle = {{"parked_ns", 60'000'000}, {"steals_lost", 0}};
  const auto only_idle = advice(make_set({make_record("slow", 2, {0.09}, idle), make_record("fast", 2, {0.05})}));
  EXPECT_TRUE(contains(only_idle[1], "parked_ns 60,000,000 against 0")) << only_idle[1];
  const std::vector<counter> both = {{"parked_ns", 60'000'000}, {"steals_lost", 200'000}};
  const auto cause = advice(make_set({make_record("slow", 2, {0.09}, both), make_record("fast", 2, {0.05})}));
  EXPECT_TRUE(contains(cause[1], "steals_lost")) << cause[1];
}

TEST(advice, names_memory_that_does_not_fit_a_cache) {
  record slow = make_record("slow", 2, {0.09}), fast = make_record("fast", 2, {0.05});
  slow.peak_bytes = 19'000'000;
  fast.peak_bytes = 4'000;
  const auto lines = advice(make_set({slow, fast}));
  EXPECT_TRUE(contains(lines[1], "peak_bytes 19,000,000 against 4,000 (18,996,000 more)")) << lines[1];
  slow.peak_bytes = 500'000;
  const auto small = advice(make_set({slow, fast}));
  EXPECT_TRUE(contains(small[1], "no count of events accounts for it")) << small[1];
}

TEST(advice, does_not_invent_a_reason) {
  const auto lines = advice(make_set({make_record("slow", 2, {0.09}), make_record("fast", 2, {0.05})}));
  EXPECT_TRUE(contains(lines[1], "no count of events accounts for it; 40.0 us more for each of tasks_run 1,000")) << lines[1];
}

TEST(advice, explains_the_next_and_the_last_and_lists_the_ties) {
  const auto lines = advice(make_set({make_record("a", 2, {0.05}), make_record("b", 2, {0.051}), make_record("c", 2, {0.07}),
                                      make_record("d", 2, {0.08}), make_record("e", 2, {0.09})}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(contains(lines[0], "no difference beyond noise to b with dlf")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "  c with dlf")) << lines[1];
  EXPECT_TRUE(contains(lines[2], "  e with dlf")) << lines[2];
}

TEST(advice, does_not_list_hundreds_of_ties) {
  std::vector<record> records = {make_record("best", 2, {0.05}), make_record("slow", 2, {0.09})};
  for (int i = 0; i < 300; ++i) records.push_back(make_record("tie" + std::to_string(i), 2, {0.051}));
  const auto lines = advice(make_set(records));
  EXPECT_TRUE(contains(lines[0], "tie0 with dlf, tie1 with dlf, ")) << lines[0];
  EXPECT_TRUE(contains(lines[0], " tie7 with dlf and 292 more.")) << lines[0];
}

TEST(advice, compares_equal_numbers_of_workers_only) {
  const auto lines = advice(make_set({make_record("a", 1, {0.09}), make_record("a", 2, {0.05})}));
  EXPECT_TRUE(lines.empty());
}

TEST(advice, tells_when_the_serial_program_is_faster) {
  const auto lines = advice(make_set({make_record("a", 2, {0.2})}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "The serial program is 2.00 times as fast")) << lines[0];
}

TEST(advice, leaves_wrong_results_out) {
  record wrong = make_record("wrong", 2, {0.01});
  wrong.verified = false;
  for (const auto& line : advice(make_set({wrong, make_record("a", 2, {0.05}), make_record("b", 2, {0.09})})))
    EXPECT_FALSE(contains(line, "wrong with")) << line;
}

TEST(advice, of_nothing_is_nothing) { EXPECT_TRUE(advice(make_set({})).empty()); }

}  // namespace
}  // namespace teff::report
