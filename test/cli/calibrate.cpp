// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calibration, where the machine at hand is a described one, or one that is made up: so that what has to come out is known.
#include "cli/calibrate/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace teff::cli {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// No number as in generic but those that calibration leaves alone.
const std::map<std::string, double> hidden_numbers = {{"cycles_per_ns", 2.5},
                                                      {"cycles_per_charge_unit", 1.75},
                                                      {"own_line_hit", 3},
                                                      {"read_modify_write_extra", 17},
                                                      {"fence", 44},
                                                      {"fence_everywhere", 4'321},
                                                      {"pause", 61},
                                                      {"clock_read", 31},
                                                      {"park", 777},
                                                      {"wake", 6'543},
                                                      {"wake_latency", 12'345},
                                                      {"thread_start", 100'000},
                                                      {"put_or_get", 9},
                                                      {"system_allocation", 71},
                                                      {"system_release", 37},
                                                      {"page_touch", 987},
                                                      {"same_core_transfer", 23},
                                                      {"same_cache_transfer", 87},
                                                      {"remote_transfer", 310}};

/// Two packages of four cores with two threads each, a cache for all of a package.
std::unique_ptr<engine::model> hidden_machine() {
  std::unique_ptr<engine::model> made(engine::make_model());
  engine::problem wrong;
  made->begin("hidden", wrong);
  made->clear_levels();
  made->add_level({"core", 2, "x", true, false, false});
  made->add_level({"cache", 8, "x", false, true, true});
  made->add_level({"machine", 16, "x", false, false, false});
  for (const auto& [name, value] : hidden_numbers) made->set(name.c_str(), value, "hidden", wrong);
  EXPECT_TRUE(wrong.ok()) << wrong.sentence;
  return made;
}

const calibration_plan plan = {1, 8, "a machine", "2026-01-31"};

void ignore(const std::string&) {}

/// The hidden machine with its places in another order: those of a pair are others than in the model.
class shuffled final : public engine::laboratory {
 public:
  explicit shuffled(engine::laboratory& of) : of_(of) {}
  void parts(engine::machine_parts& found, engine::problem& wrong) override {
    of_.parts(found, wrong);
    for (engine::machine_part& each : found.of) {
      each.first = each.first * 5 % 16;
      each.second = each.second * 5 % 16;
    }
  }
  std::optional<double> time(engine::trial which, unsigned first, unsigned second, engine::problem& wrong) override {
    return of_.time(which, first * 13 % 16, second * 13 % 16, wrong);
  }
  double time_tasks(const engine::tasks_request& wanted, engine::problem& wrong) override {
    return of_.time_tasks(wanted, wrong);
  }

 private:
  engine::laboratory& of_;
};

/// A machine on which everything takes the same time, but for what a test says.
class made_up final : public engine::laboratory {
 public:
  void parts(engine::machine_parts& found, engine::problem& wrong) override {
    found = {};
    found.processors = processors;
    found.of[0].width = 1;
    for (unsigned kind = 1; kind < engine::part_kinds; ++kind) found.of[kind].width = processors;
    found.of[1].is_there = processors > 1;
    found.of[1].second = 1;
    if (irregular.processors != 0) found = irregular;
    if (refuses) wrong.set(engine::problem::kind::usage, "no threads");
  }
  std::optional<double> time(engine::trial which, unsigned first, unsigned second, engine::problem&) override {
    if (which == engine::trial::cycle) return cycle_ns;
    if (which == engine::trial::fence_everywhere && !has_fence_everywhere) return std::nullopt;
    if (which == engine::trial::pause) return samples[pauses++ % samples.size()];
    if (which != engine::trial::ping_pong) return everything_ns;
    double transfer_ns = everything_ns;
    for (const engine::machine_part& each : irregular.of) {
      transfer_ns += 1'000;
      if (each.is_there && each.first == first && each.second == second) return transfer_ns;
    }
    return everything_ns;
  }
  double time_tasks(const engine::tasks_request&, engine::problem&) override { return everything_ns; }

  unsigned processors = 2;
  engine::machine_parts irregular{};  ///< if it has processors; its pairs are farther apart the wider the part
  bool refuses = false, has_fence_everywhere = true;
  double cycle_ns = 0.5, everything_ns = 100;
  std::vector<double> samples = {100};
  std::size_t pauses = 0;
};

const calibrated_case& case_of(const calibration& of, const std::string& number) {
  for (const calibrated_case& each : of.cases()) {
    if (each.number == number) return each;
  }
  throw std::runtime_error("no case for " + number);
}

TEST(calibration, finds_the_numbers_of_a_hidden_machine_again) {
  const auto hidden = hidden_machine();
  const std::unique_ptr<engine::model> found(engine::make_model());
  shuffled machine(*hidden);
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_TRUE(fitted.unmeasured().empty());
  std::size_t numbers = 0, checks = 0;
  for (const calibrated_case& each : fitted.cases()) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(error_of(each).has_value());
    EXPECT_LT(std::abs(*error_of(each)), 1e-3);
    if (each.number.empty()) {
      ++checks;
      continue;
    }
    ++numbers;
    // What is timed once and not in a row is read from a clock of whole nanoseconds.
    const double clock_error = hidden_numbers.at(each.number) > 5'000 ? hidden_numbers.at("cycles_per_ns") : 1e-9;
    EXPECT_NEAR(each.value, hidden_numbers.at(each.number), clock_error) << each.number;
    EXPECT_FALSE(each.at_bound);
  }
  EXPECT_EQ(numbers, hidden_numbers.size());
  EXPECT_EQ(checks, 14u);
}

TEST(calibration, writes_a_file_that_is_read_again_and_in_which_every_number_says_where_it_is_from) {
  made_up machine;
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  const std::string text = found->text(), path = testing::TempDir() + "/calibrated.toml";
  std::ofstream(path) << text;
  const std::unique_ptr<engine::model> again(engine::make_model());
  again->choose(path.c_str(), wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_EQ(again->text(), text);
  EXPECT_TRUE(contains(text, "\nplain_hit = [1, \"as generic\"]\n")) << text;
  EXPECT_TRUE(contains(text, "fence = [200, \"fitted: a fence, 100 ns on 2026-01-31\"]\n")) << text;
  EXPECT_TRUE(contains(text,
                       "name = \"cache\"\nshares = [\"cache\", \"package\"]\n"
                       "width = [2, \"counted among the usable processors\"]\n"))
      << text;
  std::filesystem::remove(path);
}

TEST(calibration, says_which_numbers_cannot_be_such_that_the_times_are_equal) {
  made_up machine;
  machine.everything_ns = 1;  // two cycles
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  const calibrated_case& transfer = case_of(fitted, "remote_transfer");
  EXPECT_TRUE(transfer.at_bound);
  EXPECT_EQ(transfer.value, 2) << "no less than the access to a line that the processor holds";
  EXPECT_TRUE(contains(found->text(), "this is its bound")) << found->text();
  EXPECT_FALSE(case_of(fitted, "own_line_hit").at_bound);
  EXPECT_TRUE(contains(table_of(fitted), "remote_transfer 2 (its bound)"));
  EXPECT_TRUE(contains(remarks_on(fitted), "A large error says"));
}

/// Effect: calibrates a machine with these parts, and reads the file again. Returns: its text.
std::string file_of(const engine::machine_parts& parts) {
  made_up machine;
  machine.irregular = parts;
  const std::unique_ptr<engine::model> found(engine::make_model()), again(engine::make_model());
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  EXPECT_TRUE(wrong.ok()) << wrong.sentence;
  for (const calibrated_case& each : fitted.cases()) {
    if (each.which != engine::trial::ping_pong) continue;
    EXPECT_NEAR(error_of(each).value_or(1), 0, 0.01) << each.name << ": the model has no such pair";
  }
  const std::string text = found->text(),
                    path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
  std::ofstream(path) << text;
  again->choose(path.c_str(), wrong);
  EXPECT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_EQ(again->text(), text);
  std::filesystem::remove(path);
  return text;
}

/// Returns: what the file says of a level before its transfer.
std::string level_of(const std::string& name, const std::string& shares, unsigned width, const std::string& more) {
  return "name = \"" + name + "\"\n" + (shares.empty() ? "" : "shares = [" + shares + "]\n") + "width = [" +
         std::to_string(width) + ", \"counted among the usable processors" + more + "\"]\n";
}

TEST(calibration, of_a_part_that_is_rounded_to_the_size_of_the_next_one_makes_that_larger) {
  // One core of two, another processor of its cache, and one of another package.
  const std::string text = file_of({4, {{true, 2, 0, 1}, {true, 3, 0, 2}, {false, 3, 0, 0}, {true, 4, 0, 3}}});
  EXPECT_TRUE(contains(text, level_of("core", "\"core\"", 2, ""))) << text;
  EXPECT_TRUE(contains(text, level_of("cache", "\"cache\", \"package\"", 4, ", and rounded"))) << text;
  EXPECT_TRUE(contains(text, level_of("machine", "", 8, ", and rounded"))) << text;
}

TEST(calibration, of_a_part_no_larger_than_one_of_those_within_keeps_both_levels) {
  // One core of two in a package, and two cores of one in another.
  const std::string text = file_of({4, {{true, 2, 0, 1}, {true, 2, 2, 3}, {false, 2, 0, 0}, {true, 4, 0, 2}}});
  EXPECT_TRUE(contains(text, level_of("core", "\"core\"", 2, ""))) << text;
  EXPECT_TRUE(contains(text, level_of("cache", "\"cache\", \"package\"", 4, ", and rounded"))) << text;
  EXPECT_TRUE(contains(text, level_of("machine", "", 8, ", and rounded"))) << text;
}

TEST(calibration, rounds_to_no_more_processors_than_a_machine_may_have) {
  const std::string text = file_of({1'024, {{true, 2, 0, 1}, {true, 601, 0, 2}, {false, 601, 0, 0}, {true, 1'024, 0, 3}}});
  EXPECT_TRUE(contains(text, level_of("cache", "\"cache\", \"package\"", 512, ", and rounded"))) << text;
  EXPECT_TRUE(contains(text, level_of("machine", "", 1'024, ""))) << text;
}

TEST(calibration, says_that_a_clock_rate_is_at_its_bound) {
  for (const double cycle_ns : {1e-4, 1e4}) {
    made_up machine;
    machine.processors = 1;
    machine.cycle_ns = cycle_ns;
    const std::unique_ptr<engine::model> found(engine::make_model());
    calibration fitted(machine, *found, plan, ignore);
    engine::problem wrong;
    fitted.measure(wrong);
    fitted.fit(wrong);
    ASSERT_TRUE(wrong.ok()) << wrong.sentence;
    const calibrated_case& rate = case_of(fitted, "cycles_per_ns");
    EXPECT_EQ(rate.value, cycle_ns < 1 ? 1'000 : 0.001);
    EXPECT_TRUE(rate.at_bound);
    EXPECT_TRUE(contains(table_of(fitted), cycle_ns < 1 ? "cycles_per_ns 1000 (its bound)" : "cycles_per_ns 0.001 (its bound)"));
  }
}

TEST(calibration, keeps_generics_numbers_of_what_the_system_does_not_have) {
  made_up machine;
  machine.has_fence_everywhere = false;
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_EQ(fitted.unmeasured(), std::vector<std::string>{"fence_everywhere"});
  EXPECT_TRUE(contains(found->text(), "fence_everywhere = [30000, \"as generic\"]"));
  EXPECT_TRUE(contains(remarks_on(fitted), "not measured here, and as in generic: fence_everywhere\n"));
}

TEST(calibration, of_one_processor_keeps_what_takes_two_as_in_generic) {
  made_up machine;
  machine.processors = 1;
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration fitted(machine, *found, plan, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  fitted.fit(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_TRUE(contains(remarks_on(fitted), "not measured here, and as in generic: sizes and transfers of all levels, "));
  EXPECT_TRUE(contains(found->text(), "width = [1024, \"as generic\"]"));
  EXPECT_TRUE(contains(found->text(), "wake_latency = [5000, \"as generic\"]"));
  EXPECT_EQ(case_of(fitted, "fence").value, 200);
  for (const calibrated_case& each : fitted.cases()) EXPECT_FALSE(each.between) << each.name;
}

TEST(calibration, takes_the_median_of_repetitions_and_tells_their_spread) {
  made_up machine;
  machine.samples = {100, 5'000, 130, 20, 90, 7'000, 80, 120};
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration_plan repeated = plan;
  repeated.repeats = 8;
  calibration fitted(machine, *found, repeated, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  const calibrated_case& pause = case_of(fitted, "pause");
  EXPECT_EQ(pause.samples, machine.samples);
  EXPECT_EQ(*pause.measured, 110);
  EXPECT_DOUBLE_EQ(spread_of(pause), (130. - 90) / 110) << "the quarters at both ends do not count";
  EXPECT_EQ(spread_of(case_of(fitted, "fence")), 0);
  EXPECT_TRUE(contains(remarks_on(fitted), "differs by more than 25 % of the median in 1 case;")) << remarks_on(fitted);
}

TEST(calibration, whose_repetitions_hardly_differ_says_nothing_of_their_spread) {
  made_up machine;
  machine.samples = {100, 5'000, 104, 90, 102, 7'000, 98, 101};
  const std::unique_ptr<engine::model> found(engine::make_model());
  calibration_plan repeated = plan;
  repeated.repeats = 8;
  calibration fitted(machine, *found, repeated, ignore);
  engine::problem wrong;
  fitted.measure(wrong);
  ASSERT_TRUE(wrong.ok()) << wrong.sentence;
  EXPECT_DOUBLE_EQ(spread_of(case_of(fitted, "pause")), (104. - 100) / 101.5);
  EXPECT_FALSE(contains(remarks_on(fitted), "spread:")) << remarks_on(fitted);
}

TEST(calibration, that_is_refused_threads_says_so_and_writes_nothing) {
  made_up machine;
  machine.refuses = true;
  const std::unique_ptr<engine::model> found(engine::make_model());
  arguments words;
  const std::string path = testing::TempDir() + "/refused.toml";
  std::filesystem::remove(path);
  words.output = path;
  console to(true);
  EXPECT_EQ(calibrate(words, machine, *found, to), exit_code::wrong_usage);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace teff::cli
