// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "helpers.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

record simulated(record some) {
  some.simulated = true;
  return some;
}

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

TEST(advice, simulated_times_tie_by_their_spread_alone) {
  const record narrow = simulated(make_record("a", 1, {1.0, 1.001, 0.999})),
               next = simulated(make_record("b", 1, {1.01, 1.009, 1.011}));
  EXPECT_FALSE(is_tie(narrow, next));
  EXPECT_TRUE(is_tie(narrow, simulated(make_record("b", 1, {1.3, 0.95, 1.4}))));
  EXPECT_TRUE(is_tie(simulated(make_record("a", 1, {0.7, 1.0, 1.31})), simulated(make_record("b", 1, {1.3, 1.29, 1.31}))));
  EXPECT_FALSE(is_tie(simulated(make_record("a", 1, {1.0})), simulated(make_record("b", 1, {1.01}))));
}

TEST(advice, says_that_one_simulated_run_says_nothing_of_chance) {
  const auto of_one = advice(make_set({simulated(make_record("a", 2, {0.05})), simulated(make_record("b", 2, {0.06}))}));
  EXPECT_TRUE(contains(of_one.back(), "One run of each")) << of_one.back();
  const auto of_three =
      advice(make_set({simulated(make_record("a", 2, {0.05, 0.05, 0.05})), simulated(make_record("b", 2, {0.06, 0.06, 0.06}))}));
  EXPECT_FALSE(contains(of_three.back(), "One run of each")) << of_three.back();
}

TEST(advice, says_so_if_there_is_no_difference) {
  const auto lines = advice(make_set({make_record("a", 2, {0.05}), make_record("b", 2, {0.052}), make_record("c", 2, {0.051})}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "2 workers: no difference beyond noise between all 3.");
}

TEST(advice, rests_on_the_account) {
  const record slow = with_account(make_record("slow", 2, {0.09}), {{"own_work", {40, 40}}, {"lock_wait", {50, 50}}});
  const record fast = with_account(make_record("fast", 2, {0.05}), {{"own_work", {40, 40}}, {"lock_wait", {10, 10}}});
  const auto lines = advice(make_set({slow, fast}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(contains(lines[0], "2 workers: fast with dlf is best, 50.0 ms")) << lines[0];
  EXPECT_EQ(
      lines[1],
      "  slow with dlf takes 1.80 times as long as fast with dlf: waiting for locks explains 100 % of it (lock_wait 100 ms of "
      "the workers' time against 20.0 ms).");
}

TEST(advice, names_no_cause_of_what_is_not_seen_in_print) {
  record slow = with_account(make_record("slow", 2, {0.0501}), {{"own_work", {40, 40}}, {"lock_wait", {11, 11}}});
  record fast = with_account(make_record("fast", 2, {0.05}), {{"own_work", {40, 40}}, {"lock_wait", {10, 10}}});
  slow.simulated = fast.simulated = true;
  EXPECT_EQ(advice(make_set({slow, fast})).at(1), "  slow with dlf takes as long as fast with dlf, to the hundredth.");
}

TEST(advice, has_a_line_for_each_that_is_no_tie) {
  const auto lines = advice(make_set({make_record("a", 2, {0.05}), make_record("b", 2, {0.051}), make_record("c", 2, {0.07}),
                                      make_record("d", 2, {0.08}), make_record("e", 2, {0.09})}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(contains(lines[0], "no difference beyond noise to b with dlf")) << lines[0];
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_TRUE(contains(lines[i], std::string("  ") + "bcde"[i] + " with dlf takes")) << lines[i];
  EXPECT_TRUE(reason_lines(make_set({make_record("a", 2, {0.05}), make_record("e", 2, {0.09})})).empty());
}

TEST(advice, of_many_has_two_lines_and_a_table) {
  std::vector<record> records = {make_record("best", 2, {0.01})};
  for (int i = 0; i < 9; ++i) records.push_back(make_record("slow" + std::to_string(i), 2, {0.02 + 0.01 * i}));
  const record_set set = make_set(records);
  const auto lines = advice(set);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(contains(lines[1], "slow0 with dlf")) << lines[1];
  EXPECT_TRUE(contains(lines[2], "slow8 with dlf")) << lines[2];
  EXPECT_EQ(reason_lines(set).size(), 9u);
  EXPECT_EQ(count_of(reason_table(set), "\n"), 10u) << reason_table(set);
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
  EXPECT_EQ(lines[0], "The serial program is 2.00 times as fast as the best of them: it takes 100 us for each of 1,000 tasks.");
}

TEST(advice, says_that_tasks_are_too_fine_if_their_own_work_is_less_than_what_is_around_it) {
  const auto fine = advice(make_set({with_account(make_record("a", 1, {0.2}), {{"own_work", {90}}, {"put_get", {110}}})}));
  EXPECT_TRUE(contains(fine[0], "Its tasks are too fine: putting and getting one takes 110 us, its own work 90.0 us."))
      << fine[0];
  record eaten = with_account(make_record("a", 1, {0.2}), {{"own_work", {1}}, {"put_get", {199}}});
  EXPECT_TRUE(contains(advice(make_set({eaten}))[0], "takes 199 us, its own work less than can be told beside that."));
  eaten.simulated = true;
  EXPECT_TRUE(contains(advice(make_set({eaten}))[0], "takes 199 us, its own work 1.00 us."));
  const auto coarse = advice(make_set({with_account(make_record("a", 1, {0.2}), {{"own_work", {110}}, {"put_get", {90}}})}));
  EXPECT_FALSE(contains(coarse[0], "too fine")) << coarse[0];
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
