// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/table.h"

#include "helpers.h"

#include <gtest/gtest.h>

#include <sstream>

namespace teff::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(table, has_a_line_for_each_record) {
  const record_set set =
      make_set({make_record("dq8", 1, {0.12, 0.13, 0.11}), make_record("dq8", 2, {0.05}, {{"steals_got", 1'234}})});
  const auto lines = lines_of(table(set));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(words_of(lines[1]), (std::vector<std::string>{"dq8", "dlf", "1", "120", "ms", "17", "%", "0.83", "1.20", "120,000",
                                                          "-", "-", "0", "-", "0"}));
  const auto two = words_of(lines[2]);
  EXPECT_EQ(two[6], "2.00");   // speed-up
  EXPECT_EQ(two[7], "1.20");   // T1/Ts is that of one worker
  EXPECT_EQ(two[9], "1,234");  // steals
}

TEST(table, shows_the_fibers_that_were_counted) {
  record waiting = make_record("sq4", 1, {0.05});
  waiting.peak_fibers = 246'807;
  EXPECT_NE(table(make_set({waiting})).find(" 246,807 "), std::string::npos);
}

TEST(table, prints_nothing_for_a_wrong_result) {
  record wrong = make_record("dq8", 2, {0.05});
  wrong.verified = false;
  const auto lines = lines_of(table(make_set({wrong})));
  EXPECT_EQ(words_of(lines[1]), (std::vector<std::string>{"dq8", "dlf", "2", "wrong", "result"}));
}

TEST(table, tells_a_run_that_did_not_end_from_a_wrong_result) {
  record stuck = make_record("dq8", 2, {});
  stuck.verified = stuck.ended = false;
  const auto lines = lines_of(table(make_set({stuck})));
  EXPECT_EQ(words_of(lines[1]), (std::vector<std::string>{"dq8", "dlf", "2", "did", "not", "end"}));
  EXPECT_NE(headline(make_set({stuck})).find("no run gave a right result"), std::string::npos);
}

TEST(table, shows_what_the_workload_measured_or_why_there_is_no_number) {
  record some = make_record("dq8", 1, {0.05}), other = make_record("dq8", 2, {0.05});
  EXPECT_EQ(metric_table(make_set({some, other})), "");
  some.metrics = {{"response_mean", "how long", 2.7293, "saturated"}, {"share", "how much", std::nullopt, "unknown"}};
  const record_set set = make_set({some, other});
  const auto lines = lines_of(metric_table(set));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(words_of(lines[0]), (std::vector<std::string>{"pool", "memory", "workers", "response_mean", "share"}));
  EXPECT_EQ(words_of(lines[1]), (std::vector<std::string>{"dq8", "dlf", "1", "2.729", "unknown"}));
  EXPECT_EQ(words_of(lines[2]), (std::vector<std::string>{"dq8", "dlf", "2", "-", "-"}));
  EXPECT_EQ(lines[4], "response_mean: how long");
}

TEST(table, of_metrics_has_the_swept_cost) {
  record some = make_record("dq8", 1, {0.05});
  some.metrics = {{"response_mean", "how long", 2.7293, ""}};
  some.swept = 1500;
  record_set set = make_set({some});
  set.sweep = "park";
  const auto lines = lines_of(metric_table(set));
  EXPECT_EQ(words_of(lines[0]), (std::vector<std::string>{"pool", "memory", "workers", "park", "response_mean"}));
  EXPECT_EQ(words_of(lines[1]), (std::vector<std::string>{"dq8", "dlf", "1", "1500", "2.729"}));
}

TEST(table, says_how_many_workers_there_really_were) {
  record fewer = make_record("dq8", 2, {0.05});
  fewer.workers_asked = 8;
  EXPECT_NE(table(make_set({fewer})).find("2 of 8"), std::string::npos);
}

TEST(table, never_calls_virtual_time_measured) {
  record virtual_time = make_record("dq8", 2, {0.05});
  virtual_time.simulated = true;
  EXPECT_NE(headline(make_set({virtual_time})).find("all times are virtual"), std::string::npos);
  EXPECT_EQ(headline(make_set({make_record("dq8", 2, {0.05})})).find("virtual"), std::string::npos);
}

}  // namespace
}  // namespace teff::report
