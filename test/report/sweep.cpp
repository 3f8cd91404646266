// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sweep.h"

#include "helpers.h"
#include "report/html.h"
#include "report/why.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

record at(double value, const std::string& pool, double seconds) {
  record made = make_record(pool, 2, {seconds, seconds * 1.001, seconds * 0.999});
  made.simulated = true;
  made.swept = value;
  return made;
}

record_set swept() {
  record_set set = make_set(
      {at(100, "a", 0.01), at(100, "b", 0.02), at(200, "a", 0.019), at(200, "b", 0.02), at(400, "a", 0.04), at(400, "b", 0.02)});
  set.sweep = "remote_transfer";
  return set;
}

TEST(sweep, the_table_has_a_line_for_each_value_and_marks_the_best) {
  const std::string text = sweep_table(swept());
  EXPECT_TRUE(contains(text, "2 workers: median virtual times in ms and their spread; * best of its row")) << text;
  EXPECT_EQ(count_of(text, "\n"), 5u) << text;
  EXPECT_TRUE(contains(text, "100  10.0*   0 %  20.0    0 %")) << text;
  EXPECT_TRUE(contains(text, "400  40.0    0 %  20.0*   0 %")) << text;
}

TEST(sweep, sentences_say_where_which_is_best) {
  const auto lines = sweep_sentences(swept());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "2 workers: a with dlf is best at remote_transfer = 100 to 200; b with dlf at 400.");
  EXPECT_EQ(lines[1], "  b with dlf takes 1.00 times as long at 400 as at 100.");
  EXPECT_EQ(lines[2], "  a with dlf takes 4.00 times as long at 400 as at 100.");
}

TEST(sweep, a_cost_that_nothing_uses_is_said_to_make_no_difference) {
  record_set set = make_set({at(100, "a", 0.01), at(100, "b", 0.02), at(200, "a", 0.01), at(200, "b", 0.02)});
  set.sweep = "remote_transfer";
  const auto lines = sweep_sentences(set);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "2 workers: a with dlf is best at remote_transfer = 100 to 200, at every value.");
  EXPECT_EQ(lines[1], "  remote_transfer made no difference in these runs: each took the very same time at every value.");
  set.records[3].seconds[1] *= 1.0001;
  EXPECT_EQ(sweep_sentences(set).size(), 3u);
  set.records.resize(2);
  EXPECT_EQ(sweep_sentences(set).size(), 3u) << "of one value nothing is known";
}

TEST(sweep, a_tie_does_not_change_who_is_best) {
  record_set set = swept();
  for (record& each : set.records) {
    if (each.swept == 400 && each.pool == "a") each.seconds = {0.0201, 0.0199, 0.0202};
  }
  EXPECT_EQ(sweep_sentences(set)[0],
            "2 workers: a with dlf is best at remote_transfer = 100 to 400, at every value"
            "; at some values another one has the least time, but is no faster beyond noise.");
  EXPECT_TRUE(contains(sweep_table(set), "20.1=")) << sweep_table(set);
}

TEST(sweep, is_drawn) {
  const std::string drawn = sweep_figures(swept());
  EXPECT_EQ(count_of(drawn, "<path class=\"curve s0\""), 2u);  // the line, and its name
  EXPECT_EQ(count_of(drawn, "data-cost=\"400\""), 2u);
  EXPECT_TRUE(contains(drawn, "remote_transfer"));
  EXPECT_FALSE(contains(drawn, "linear bound"));
  EXPECT_TRUE(contains(html(swept()), "Times at each value of remote_transfer"));
}

TEST(sweep, what_has_no_time_is_a_gap) {
  record_set set = swept();
  set.records[2].verified = false;
  EXPECT_TRUE(contains(sweep_table(set), "200          -    20.0*   0 %")) << sweep_table(set);
  EXPECT_EQ(sweep_sentences(set)[0], "2 workers: a with dlf is best at remote_transfer = 100; b with dlf at 200 to 400.");
}

TEST(sweep, a_gap_has_no_point_and_what_never_has_a_time_no_curve) {
  record_set set = swept();
  set.records[2].verified = false;
  std::string drawn = sweep_figures(set);
  EXPECT_EQ(count_of(drawn, "a with dlf, remote_transfer = "), 2u) << drawn;
  EXPECT_EQ(count_of(drawn, "b with dlf, remote_transfer = "), 3u) << drawn;
  for (record& each : set.records) each.verified = each.verified && each.pool != "a";
  drawn = sweep_figures(set);
  EXPECT_EQ(count_of(drawn, "a with dlf"), 0u) << drawn;
  EXPECT_EQ(count_of(drawn, "b with dlf, remote_transfer = "), 3u) << drawn;
}

record_set knocked_out() {
  const auto timed = [](const std::string& pool, double seconds) {
    record made = at(0, pool, seconds);
    made.swept.reset();
    return made;
  };
  record slow = with_account(timed("slow", 0.1), {{"own_work", {40, 40}}, {"system_memory", {60, 60}}});
  record fast = with_account(timed("fast", 0.05), {{"own_work", {40, 40}}, {"system_memory", {10, 10}}});
  record_set set = make_set({slow, fast, timed("tie", 0.05001)});
  set.knock_outs.push_back(
      {"hits", "own_line_hit = 1", {"put_get"}, {timed("slow", 0.095), timed("fast", 0.04), timed("tie", 0.04)}});
  set.knock_outs.push_back(
      {"memory", "system_allocation = 0", {"system_memory"}, {timed("slow", 0.055), timed("fast", 0.0465), timed("tie", 0.05)}});
  return set;
}

TEST(why, says_by_how_much_a_gap_shrinks_and_whether_the_account_agrees) {
  const auto lines = why_sentences(knocked_out());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            "  slow with dlf on 2 workers: without memory (system_allocation = 0) the gap to fast with dlf shrinks by 83 %, from "
            "50.0 ms to "
            "8.50 ms, which bears out system_memory.");
}

TEST(why, says_if_the_account_named_something_else) {
  record_set set = knocked_out();
  set.knock_outs[1].parts = {"put_get"};
  EXPECT_TRUE(contains(why_sentences(set)[0], "; no cost that was taken away is one of system_memory.")) << why_sentences(set)[0];
  set.knock_outs[0].parts = {"system_memory"};
  EXPECT_TRUE(contains(why_sentences(set)[0], "; system_memory is not borne out: look for another reason than the one above"))
      << why_sentences(set)[0];
}

TEST(why, says_if_the_account_named_nothing) {
  record_set set = knocked_out();
  set.records[0] = with_account(make_record("slow", 2, {0.1, 0.1001, 0.0999}), {{"own_work", {45, 45}}, {"parked", {55, 55}}});
  set.records[1] = with_account(make_record("fast", 2, {0.05, 0.05005, 0.04995}), {{"own_work", {45, 45}}, {"parked", {5, 5}}});
  EXPECT_TRUE(contains(why_sentences(set)[0], "to 8.50 ms, which the account explains by none of its parts."))
      << why_sentences(set)[0];
}

TEST(why, a_gap_that_no_cost_makes_smaller_has_none) {
  record_set set = knocked_out();
  set.knock_outs.pop_back();
  EXPECT_TRUE(contains(
      why_sentences(set)[0],
      "no single cost makes the gap to fast with dlf smaller by a fifth; without hits it grows by 10 %; no cost that was "
      "taken away is one of system_memory."))
      << why_sentences(set)[0];
}

TEST(why, a_part_is_borne_out_by_its_own_costs_even_if_another_one_narrows_the_gap_more) {
  record_set set = knocked_out();
  set.knock_outs.push_back({"hops", "hop = 0", {"stealing"}, {set.records[1], set.records[1], set.records[2]}});
  set.knock_outs.back().records[0].pool = "slow";
  EXPECT_TRUE(contains(why_sentences(set)[0],
                       "without hops (hop = 0) the gap to fast with dlf closes, from 50.0 ms to nothing; "
                       "without memory (system_allocation = 0) it shrinks by 83 %, which bears out "
                       "system_memory."))
      << why_sentences(set)[0];
}

TEST(why, what_is_no_reason_is_not_borne_out) {
  record_set set = knocked_out();
  // Six parts of a sixth each: the sentence on why names none.
  const std::vector<std::string> parts = {"system_memory", "put_get", "lock_wait", "stealing", "waking", "fibers"};
  std::vector<std::pair<std::string, std::vector<double>>> slow, fast;
  for (const std::string& each : parts) {
    slow.push_back({each, {16, 16}});
    fast.push_back({each, {8, 8}});
  }
  for (auto& [record, account] : {std::pair(&set.records[0], slow), {&set.records[1], fast}}) {
    record->account.clear();
    *record = with_account(*record, account);
  }
  EXPECT_TRUE(contains(why_sentences(set)[0], ", which the account explains by none of its parts.")) << why_sentences(set)[0];
}

TEST(why, both_parts_that_are_named_are_looked_at) {
  record_set set = knocked_out();
  set.records[0].account.clear();
  set.records[0] = with_account(set.records[0], {{"own_work", {50, 50}}, {"system_memory", {28, 28}}, {"put_get", {22, 22}}});
  EXPECT_TRUE(contains(why_sentences(set)[0], "to 8.50 ms, which bears out system_memory; put_get is not borne out: "))
      << why_sentences(set)[0];
}

TEST(why, one_cost_may_bear_out_both) {
  record_set set = knocked_out();
  set.records[0].account.clear();
  set.records[0] = with_account(set.records[0], {{"own_work", {50, 50}}, {"system_memory", {28, 28}}, {"put_get", {22, 22}}});
  set.knock_outs[1].parts = {"put_get", "system_memory"};
  EXPECT_TRUE(contains(why_sentences(set)[0], ", which bears out put_get and system_memory.")) << why_sentences(set)[0];
}

TEST(why, a_gap_that_turns_round_has_closed) {
  record_set set = knocked_out();
  set.knock_outs[1].records[0].seconds = {0.0435, 0.0435, 0.0435};
  EXPECT_TRUE(contains(why_sentences(set)[0], "turns round, from 50.0 ms to -3.00 ms")) << why_sentences(set)[0];
  EXPECT_TRUE(contains(why_table(set), "-3.00 ms        100 %")) << why_table(set);
}

TEST(why, ties_are_no_gap) {
  record_set set = knocked_out();
  EXPECT_TRUE(has_gap(set));
  set.records.erase(set.records.begin());
  EXPECT_FALSE(has_gap(set));
}

TEST(why, the_table_has_the_largest_first) {
  const std::string text = why_table(knocked_out());
  EXPECT_LT(text.find("memory   50.0 ms"), text.find("hits     50.0 ms")) << text;
  EXPECT_EQ(count_of(text, "\n"), 3u) << text;
  const record_set set = knocked_out();
  EXPECT_TRUE(contains(html(set), "Without one cost of the machine"));
}

}  // namespace
}  // namespace teff::report
