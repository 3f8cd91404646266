// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/program.h"

#include "helpers.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

/// Three runs close to that time, each with that much processor time.
program_record make(const std::string& runtime, double seconds, double processor_seconds) {
  program_record made;
  made.runtime = runtime;
  made.seconds = {seconds * 0.99, seconds, seconds * 1.01};
  made.processor_seconds = {processor_seconds, processor_seconds, processor_seconds};
  return made;
}

program_comparison compared(std::vector<program_record> records) { return {{"./prog", "30"}, 2, "abc", std::move(records)}; }

TEST(program, speed_up_is_over_the_first_record) {
  const auto all = compared({make("libgomp", 2, 4), make("teff", 0.5, 1)});
  EXPECT_DOUBLE_EQ(*speedup_over_stock(all, all.records[0]), 1);
  EXPECT_DOUBLE_EQ(*speedup_over_stock(all, all.records[1]), 4);
}

TEST(program, a_run_alone_has_no_speed_up_and_says_what_holds_it_back) {
  auto run = make("teff", 2, 4);
  run.output = sameness::unknown;
  EXPECT_FALSE(speedup_over_stock(compared({run}), run));
  EXPECT_TRUE(advice(compared({run})).empty());
  run.failure = "exit code 3";
  run.sites.regions = {{"a.c:1 (main)", "", {{"calls", 1}, {"members", 2}, {"elapsed_ns", 1e9}, {"capacity_ns", 2e9}}, "", ""}};
  run.sites.locks = {{"a.c:2 (main)", "a.c:1 (main)", {{"waits", 9}, {"time_ns", 1.9e9}, {"kind", 1}}, "", ""}};
  const auto found = findings(run.sites);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(advice(compared({run})), (std::vector{std::string("teff failed: exit code 3"), found.front().text}));
  const std::string text = json(compared({run}));
  EXPECT_TRUE(contains(text, "\"speedup\": null"));
  EXPECT_TRUE(contains(text, "\"same_output\": null"));
}

TEST(program, names_the_best_and_the_figure_that_shows_why) {
  EXPECT_EQ(advice(compared({make("libgomp", 2, 4), make("teff", 0.5, 1), make("sq1", 1, 2)}))[0],
            "best: teff, 4.00 times as fast as the stock runtime: it took 1.00 s of processor time instead of 4.00 s");
  EXPECT_EQ(advice(compared({make("libgomp", 2, 2), make("teff", 1, 2)}))[0],
            "best: teff, 2.00 times as fast as the stock runtime: it kept 2.00 processors busy instead of 1.00");
  EXPECT_TRUE(contains(advice(compared({make("libgomp", 1, 1), make("teff", 2, 2)}))[0], "best: libgomp, the stock runtime"));
  EXPECT_EQ(advice(compared({make("libgomp", 1.2, 1.12), make("teff", 1, 1)}))[0],
            "best: teff, 1.20 times as fast as the stock runtime: neither processor time nor busy processors show why");
}

TEST(program, ties_are_no_differences) {
  EXPECT_TRUE(contains(advice(compared({make("libgomp", 1, 1), make("teff", 0.9, 1)}))[0], "no difference beyond noise"));
  EXPECT_TRUE(contains(advice(compared({make("libgomp", 2, 4), make("teff", 1, 2), make("dq5", 1.05, 2)}))[0],
                       "(no difference beyond noise to dq5)"));
  // Far apart in the median, but the runs overlap.
  auto noisy = make("libgomp", 1, 1);
  noisy.seconds = {0.5, 0.6, 1.3, 1.4, 1.5};
  EXPECT_TRUE(contains(advice(compared({noisy, make("teff", 1, 1)}))[0], "no difference beyond noise"));
}

TEST(program, tells_what_failed_and_what_differs) {
  auto failed = make("sq1", 1, 1), other = make("dq5", 1, 1);
  failed.failure = "signal SIGSEGV";
  other.output = sameness::differs;
  const auto all = compared({make("libgomp", 1, 1), failed, other});
  const auto lines = advice(all);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "sq1 failed: signal SIGSEGV");
  EXPECT_TRUE(contains(lines[2], "dq5: the output differs"));
  EXPECT_FALSE(speedup_over_stock(all, failed));
  EXPECT_TRUE(contains(table(all), "signal SIGSEGV"));
}

TEST(program, where_every_pool_fails_there_is_no_best) {
  auto failed = make("teff", 1, 1);
  failed.failure = "exit code 70";
  const auto lines = advice(compared({make("libgomp", 1, 1), failed}));
  EXPECT_EQ(lines.at(0), "no pool ended well, so there is nothing to compare the stock runtime with");
  EXPECT_EQ(lines.at(1), "teff failed: exit code 70");
}

TEST(program, a_program_that_never_prints_the_same_says_nothing) {
  auto stock = make("libgomp", 1, 1);
  stock.output = sameness::varies;
  const auto lines = advice(compared({stock, make("teff", 1, 1)}));
  EXPECT_TRUE(contains(lines.at(1), "says nothing about the pools"));
}

TEST(program, a_stock_runtime_that_fails_leaves_nothing_to_compare_with) {
  auto stock = make("libgomp", 1, 1);
  stock.failure = "exit code 1";
  auto pool = make("teff", 1, 1);
  pool.output = sameness::unknown;
  EXPECT_TRUE(contains(advice(compared({stock, pool}))[0], "the stock runtime failed"));
  EXPECT_TRUE(contains(table(compared({stock, pool})), "1.00       -  -")) << table(compared({stock, pool}));
  stock.seconds.clear();
  EXPECT_EQ(advice(compared({stock}))[0], "no run ended well");
}

TEST(program, what_was_counted_is_told_in_numbers) {
  auto other = make("teff", 1, 1);
  other.statistics = {{"tasks", "464"}, {"steals", "34 (shared 120, taken back 3)"}, {"idle", "3 %"}};
  EXPECT_EQ(advice(compared({make("libgomp", 1, 1), other})).back(), "teff: 464 tasks, 34 steals, idle 3 %");
  other.statistics["regions"] = "12";
  EXPECT_EQ(advice(compared({make("libgomp", 1, 1), other})).back(), "teff: 464 tasks, 34 steals, idle 3 %, 12 regions");
  other.statistics["regions"] = other.statistics["tasks"] = "1";
  EXPECT_EQ(advice(compared({make("libgomp", 1, 1), other})).back(), "teff: 1 task, 34 steals, idle 3 %, 1 region");
  other.statistics["regions"] = other.statistics["tasks"] = "10100";
  other.statistics.erase("steals");
  EXPECT_EQ(advice(compared({make("libgomp", 1, 1), other})).back(), "teff: 10,100 tasks, - steals, idle 3 %, 10,100 regions");
}

TEST(program, numbers_of_threads_are_compared_with_the_stock_runtime_of_the_same) {
  std::vector<program_record> records;
  for (const unsigned threads : {1u, 4u}) {
    records.push_back(make("libgomp", 4.0 / threads, 4));
    records.push_back(make("teff", threads == 1 ? 2 : 0.25, 2));
    records[records.size() - 2].threads = records.back().threads = threads;
  }
  const auto all = compared(records);
  EXPECT_DOUBLE_EQ(*speedup_over_stock(all, all.records[1]), 2);
  EXPECT_DOUBLE_EQ(*speedup_over_stock(all, all.records[2]), 1);
  EXPECT_DOUBLE_EQ(*speedup_over_stock(all, all.records[3]), 4);
  EXPECT_TRUE(contains(table(all), "runtime  threads"));
  const auto lines = advice(all);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].starts_with("1 thread: best: teff, 2.00 times as fast"));
  EXPECT_TRUE(lines[1].starts_with("4 threads: best: teff, 4.00 times as fast"));
  EXPECT_EQ(lines[2], "libgomp: times as fast as with 1 thread: 4.00 with 4");
  EXPECT_EQ(lines[3], "teff: times as fast as with 1 thread: 8.00 with 4");
}

TEST(program, of_what_holds_it_back_three_sentences_are_told) {
  auto other = make("teff", 1, 1);
  other.statistics = {{"tasks", "0"}, {"steals", "0"}, {"idle", "0 %"}, {"time", "100.0 % own_work"}};
  other.sites.regions.push_back(
      {"a.c:1 (f)", "", {{"calls", 1}, {"members", 2}, {"capacity_ns", 2e7}, {"part_own_work", 2e7}}, "", ""});
  for (const char* at : {"a.c:2 (f)", "a.c:3 (f)", "a.c:4 (f)", "a.c:5 (f)"})
    other.sites.locks.push_back({at, "a.c:1 (f)", {{"waits", 1}, {"time_ns", 4e6}, {"kind", 3}}, "", ""});
  const auto lines = advice(compared({make("libgomp", 1, 1), other}));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[2], "teff: its threads' time: 100.0 % own_work");
  EXPECT_TRUE(lines[3].starts_with("teff: a.c:2 (f): this lock holds the region a.c:1 (f) up: threads waited for it 20 %"));
  EXPECT_EQ(lines[6], "teff: and 1 more; 'teff run --stats' has them all");
  EXPECT_TRUE(contains(json(compared({make("libgomp", 1, 1), other})), "\"cause\": \"lock\""));
}

TEST(program, json_has_null_for_what_is_not_known) {
  auto other = make("teff", 1, 1);
  other.statistics = {{"tasks", "464"}};
  other.output = sameness::varies;
  const std::string text = json(compared({make("libgomp", 1, 1), other}));
  for (const char* part : {"\"command\"", "\"libgomp\"", "\"peak_bytes\": null", "\"same_output\": null", "\"tasks\": \"464\"",
                           "\"failure\": null", "\"advice\""})
    EXPECT_TRUE(contains(text, part)) << part;
}

}  // namespace
}  // namespace teff::report
