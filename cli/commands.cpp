// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"

#include "cli/build_information.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "report/advice.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text.h"

#include <cstdlib>
#include <fstream>
#include <memory>

namespace teff::cli {

namespace {

constexpr const char* standard_output = "-";

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

report::machine machine_of(const engine::side& side) {
  report::machine machine;
  machine.processor = side.simulated() ? "simulated" : processor_name();
  machine.usable_processors = side.simulated() ? side.workers_at_most() : side.usable_processors();
  engine::text_table costs;
  engine::problem wrong;
  side.list(engine::list_kind::machine, "", costs, wrong);
  for (std::size_t i = 0; i < costs.cells.size(); i += costs.columns.size())
    machine.costs.emplace_back(costs.cells[i], std::strtod(costs.cells[i + 1].c_str(), nullptr));
  return machine;
}

std::string stats_of(const report::record& of, const std::map<std::string, std::string>& texts) {
  std::vector<std::vector<std::string>> rows = {{"counter", "value", "what"}};
  for (const report::counter& each : of.counters) rows.push_back({each.name, report::grouped(each.value), texts.at(each.name)});
  rows.push_back({"peak_live_tasks", report::grouped(of.peak_live_tasks), "most tasks that waited at once"});
  rows.push_back({"peak_bytes", report::grouped(of.peak_bytes), "most bytes that the memory manager held at once"});
  rows.push_back({"peak_fibers", report::grouped(of.peak_fibers), "most fibers, each with its stack, that existed at once"});
  for (std::size_t i = 0; i < of.tasks_by_worker.size(); ++i)
    rows.push_back({report::format("worker {}", i), report::grouped(of.tasks_by_worker[i]), "tasks executed by this worker"});
  return report::columns(rows, {report::align::left, report::align::right, report::align::left});
}

/// One call of run, compare or simulate, step by step. Each step returns false after it has complained.
class experiment {
 public:
  experiment(const arguments& words, engine::side& side, console& to) : words_(words), side_(side), console_(to) {}

  exit_code go() {
    if (!understand() || !open_files() || !measure()) return exit_code::wrong_usage;
    print();
    if (!write_files()) return exit_code::wrong_usage;
    return measured_->all_verified() ? exit_code::success : exit_code::wrong_result;
  }

 private:
  bool accept(const std::string& sentence) {
    if (!sentence.empty()) console_.complain(sentence);
    return sentence.empty();
  }

  bool understand() {
    if (words_.subject.empty())
      return accept("which workload? allowed: " + report::joined(names_in(side_, engine::list_kind::workloads)));
    engine::problem wrong;
    side_.describe_machine(words_.machine, wrong);
    if (!accept(wrong.sentence) || !accept(make_plan(words_, side_, plan_))) return false;
    const engine::program_request wanted{words_.subject.c_str(), plan_.size.c_str(), plan_.input.c_str(), plan_.format.c_str(),
                                         plan_.seed};
    program_.reset(side_.open(wanted, wrong));
    for (const case_plan& each : plan_.cases) {
      if (wrong.ok()) program_->check(each.request(plan_.seed), wrong);
    }
    return accept(wrong.sentence);
  }

  bool open_files() {
    if (words_.output && words_.output == words_.json_file)
      return accept("--output and --json name the same file, '" + *words_.output + "'");
    if (words_.output == standard_output) return accept("--output cannot be '-'; allowed: the name of a file");
    if (words_.output && !program_->has_result())
      return accept("workload " + words_.subject + " has no result that --output could write");
    if (words_.output && !accept(output_.open(*words_.output))) return false;
    return !writes_json_file() || accept(json_.open(words_.json_file.value_or("")));
  }

  bool measure() {
    measured_ = std::make_unique<measurement>(*program_, plan_, side_.simulated(), console_);
    engine::problem wrong;
    measured_->run(wrong);
    set_ = {words_.subject, program_->size(), machine_of(side_), commit_text, measured_->records()};
    return accept(wrong.sentence);
  }

  void print() {
    console_.result(report::headline(set_) + "\n\n" + report::table(set_));
    if (words_.stats) console_.result("\n" + stats_of(set_.records.front(), measured_->counter_texts()));
    const auto lines = report::advice(set_);
    if (!lines.empty()) console_.result("\n");
    for (const std::string& each : lines) console_.result(each + "\n");
  }

  bool write_files() {
    if (words_.output && measured_->all_verified()) {
      engine::problem wrong;
      program_->write_result(output_, words_.output->c_str(), plan_.format.c_str(), wrong);
      if (!accept(wrong.sentence) || !accept(output_.commit())) return false;
    }
    if (!words_.json_file) return true;
    const std::string text = report::json(set_);
    if (!writes_json_file()) {
      console_.machine_readable(text);
      return true;
    }
    json_.write(text.data(), text.size());
    return accept(json_.commit());
  }

  bool writes_json_file() const { return words_.json_file && words_.json_file != standard_output; }

  const arguments& words_;
  engine::side& side_;
  console& console_;
  plan plan_;
  std::unique_ptr<engine::program> program_;
  output_file output_, json_;
  std::unique_ptr<measurement> measured_;
  report::record_set set_;
};

}  // namespace

exit_code run_something(const arguments& words, engine::side& side, console& to) { return experiment(words, side, to).go(); }

}  // namespace teff::cli
