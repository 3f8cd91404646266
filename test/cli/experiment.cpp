// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run, compare and simulate with a side that is made up, so that results can be wrong and runs can fail.
#include "cli/commands.h"
#include "cli/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace teff::cli {
namespace {

/// What the made-up program does in its n-th run of either kind.
using behaviour = std::function<void(engine::run_result&, engine::problem&)>;

void right(engine::run_result& result, engine::problem&) {
  result.verified = true;
  result.tasks = 10;
  result.workers = 1;
  result.seconds = 1;
  result.tasks_by_worker = {10};
}

void wrong_result(engine::run_result& result, engine::problem& wrong) {
  right(result, wrong);
  result.verified = false;
  result.wrong = "it ran 9 tasks instead of 10";
}

void stuck(engine::run_result&, engine::problem& wrong) { wrong.set(engine::problem::kind::no_end, "the run cannot end"); }
void no_memory(engine::run_result&, engine::problem& wrong) { wrong.set(engine::problem::kind::usage, "not enough memory"); }

class made_up_program final : public engine::program {
 public:
  made_up_program(behaviour tasks, behaviour serial, std::vector<std::string>& log) : tasks_(tasks), serial_(serial), log_(log) {}
  std::string size() const override { return "n=1"; }
  void check(const engine::team_request&, engine::problem&) override {}
  void run(const engine::team_request& team, engine::run_result& result, engine::problem& wrong) override {
    log_.emplace_back(team.pool);
    tasks_(result, wrong);
  }
  void run_serial(std::uint64_t, engine::run_result& result, engine::problem& wrong) override {
    log_.emplace_back("serial");
    serial_(result, wrong);
  }
  bool has_result() const override { return true; }
  void write_result(engine::byte_sink& to, const char*, const char*, engine::problem&) override { to.write("result", 6); }

 private:
  behaviour tasks_, serial_;
  std::vector<std::string>& log_;
};

class made_up_side final : public engine::side {
 public:
  bool simulated() const override { return is_simulated; }
  unsigned workers_at_most() const override { return 4; }
  std::string machine_name() const override { return {}; }
  unsigned usable_processors() const override { return 2; }
  void list(engine::list_kind what, const char*, engine::text_table& table, engine::problem&) const override {
    table.columns = {"name"};
    if (what == engine::list_kind::pools) table.cells = {"a", "b"};
    if (what == engine::list_kind::managers) table.cells = {standard_memory};
    if (what != engine::list_kind::machine || !is_simulated) return;
    table.columns = {"name", "value"};
    table.cells = {"park", "2000"};
  }
  std::string wrong_program_settings(const std::string&, const std::vector<std::string>&, unsigned) const override { return {}; }
  void describe_machine(const std::vector<std::string>& words, engine::problem& wrong) override {
    for (const std::string& each : words) described.push_back(each);
    if (std::find(words.begin(), words.end(), refused) != words.end())
      wrong.set(engine::problem::kind::usage, "refused: " + refused);
  }
  engine::program* open(const engine::program_request&, engine::problem&) override {
    return new made_up_program(tasks, serial, log);
  }
  std::string unknown_name(const char*, const std::string& name, const std::vector<std::string>&) const override { return name; }

  behaviour tasks = right, serial = right;
  std::vector<std::string> log;
  bool is_simulated = false;
  std::vector<std::string> described;
  std::string refused = "nothing";
};

class experiment : public testing::Test {
 protected:
  experiment() {
    words.which = command::compare;
    words.subject = "made_up";
    words.workers = "1";
    words.repeat = "2";
  }
  exit_code go() {
    console to(false);
    return run_something(words, side, to);
  }

  arguments words;
  made_up_side side;
};

TEST_F(experiment, runs_all_cases_in_turn) {
  EXPECT_EQ(go(), exit_code::success);
  EXPECT_EQ(side.log, (std::vector<std::string>{"serial", "a", "b", "serial", "a", "b"}));
}

TEST_F(experiment, a_wrong_result_is_exit_code_1_and_does_not_end_the_rest) {
  side.tasks = wrong_result;
  testing::internal::CaptureStderr();
  EXPECT_EQ(go(), exit_code::wrong_result);
  const std::string complaints = testing::internal::GetCapturedStderr();
  EXPECT_NE(complaints.find("b with clf on 1 worker, run 2: it ran 9 tasks instead of 10"), std::string::npos) << complaints;
  EXPECT_EQ(side.log.size(), 6u);
}

TEST_F(experiment, a_wrong_serial_result_is_exit_code_1) {
  side.serial = wrong_result;
  EXPECT_EQ(go(), exit_code::wrong_result);
}

TEST_F(experiment, a_run_that_cannot_end_is_exit_code_1_and_called_so) {
  side.tasks = stuck;
  testing::internal::CaptureStdout();
  EXPECT_EQ(go(), exit_code::wrong_result);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("did not end"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("wrong result"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("0 of "), std::string::npos) << printed;
}

TEST_F(experiment, no_memory_ends_it_with_exit_code_2) {
  side.tasks = no_memory;
  EXPECT_EQ(go(), exit_code::wrong_usage);
  EXPECT_EQ(side.log, (std::vector<std::string>{"serial", "a"}));
}

/// Runs of the pool a take as long as the serial program, those of b twice as long.
class knocked_out : public experiment {
 protected:
  knocked_out() {
    words.which = command::simulate;
    words.why = true;
    words.repeat = "1";
    side.is_simulated = true;
    side.tasks = [this](engine::run_result& result, engine::problem& wrong) {
      right(result, wrong);
      result.seconds = side.log.back() == "b" ? b_seconds : 1;
    };
  }

  double b_seconds = 2;
};

TEST_F(knocked_out, takes_costs_away_and_puts_them_back) {
  EXPECT_EQ(go(), exit_code::success);
  EXPECT_EQ(side.described, (std::vector<std::string>{"park=0", "park=2000"}));
  EXPECT_EQ(side.log.size(), 6u);
}

TEST_F(knocked_out, is_nothing_if_there_is_no_gap) {
  b_seconds = 1;
  EXPECT_EQ(go(), exit_code::success);
  EXPECT_TRUE(side.described.empty());
  EXPECT_EQ(side.log.size(), 3u);
}

TEST_F(knocked_out, ends_if_a_cost_cannot_be_put_back) {
  side.refused = "park=2000";
  testing::internal::CaptureStderr();
  EXPECT_EQ(go(), exit_code::wrong_usage);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("refused: park=2000"), std::string::npos);
}

TEST_F(knocked_out, messages_say_what_was_taken_away) {
  side.tasks = [this](engine::run_result& result, engine::problem& wrong) {
    (side.log.size() > 3 ? wrong_result : right)(result, wrong);
    result.seconds = side.log.back() == "b" ? 2 : 1;
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(go(), exit_code::wrong_result);
  const std::string complaints = testing::internal::GetCapturedStderr();
  EXPECT_NE(complaints.find("b with clf on 1 worker, without going to sleep and waking, run 1: it ran 9"), std::string::npos)
      << complaints;
}

TEST_F(knocked_out, messages_of_a_sweep_say_the_value) {
  words.why = false;
  words.sweep = "park=0,9";
  side.tasks = wrong_result;
  testing::internal::CaptureStderr();
  EXPECT_EQ(go(), exit_code::wrong_result);
  const std::string complaints = testing::internal::GetCapturedStderr();
  EXPECT_NE(complaints.find("a with clf on 1 worker, park = 9, run 1: it ran 9"), std::string::npos) << complaints;
}

TEST_F(experiment, a_wrong_result_is_not_written) {
  words.which = command::run;
  const std::string path = testing::TempDir() + "teff_wrong_result";
  words.output = path;
  side.tasks = wrong_result;
  EXPECT_EQ(go(), exit_code::wrong_result);
  EXPECT_EQ(std::fopen(path.c_str(), "rb"), nullptr);
  side.tasks = right;
  EXPECT_EQ(go(), exit_code::success);
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

TEST_F(experiment, a_wrong_result_has_a_page_that_says_so) {
  const std::string path = testing::TempDir() + "teff_wrong_page.html";
  words.html_file = path;
  side.tasks = wrong_result;
  EXPECT_EQ(go(), exit_code::wrong_result);
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(page.find("The result of 2 of 2 records"), std::string::npos) << page;
  EXPECT_EQ(page.find("<svg "), std::string::npos);
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

TEST_F(experiment, the_counters_are_those_of_the_middle_run) {
  words.repeat = "3";
  int runs = 0;
  side.tasks = [&runs](engine::run_result& result, engine::problem& wrong) {
    right(result, wrong);
    result.seconds = runs == 1 ? 1 : 3 - runs;  // 3, 1, 1
    result.counter_names = {"tasks_run"};
    result.counter_texts = {"tasks executed"};
    result.counter_values = {static_cast<std::uint64_t>(100 + runs++)};
  };
  words.pools = "a";
  plan made;
  ASSERT_EQ(make_plan(words, side, made), "");
  made_up_program program(side.tasks, side.serial, side.log);
  console to(false);
  measurement measured(program, made, false, to);
  engine::problem wrong;
  measured.run(wrong);
  ASSERT_EQ(measured.records().size(), 1u);
  EXPECT_EQ(measured.records()[0].counters[0].value, 102u);
}

}  // namespace
}  // namespace teff::cli
