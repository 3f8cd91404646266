// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"

#include "cli/build_information.h"
#include "cli/kernel.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "cli/process.h"
#include "cli/system.h"
#include "cli/why.h"
#include "report/account.h"
#include "report/advice.h"
#include "report/html.h"
#include "report/json.h"
#include "report/matrix.h"
#include "report/sweep.h"
#include "report/table.h"
#include "report/text.h"
#include "report/why.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

namespace teff::cli {

namespace {

/// A longer table is left out where matrices say the same in less.
constexpr std::size_t table_lines_at_most = 40;

report::machine machine_of(const engine::side& side) {
  report::machine machine;
  machine.processor = side.simulated() ? "simulated" : read_processor_name();
  machine.name = side.machine_name();
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

struct named_file {
  const char* option;
  const std::optional<std::string>& path;
};

/// Returns: a sentence if two options name the same file, which would keep the result of one only.
std::string find_same_file(const std::vector<named_file>& files) {
  for (auto a = files.begin(); a != files.end(); ++a) {
    for (auto b = a + 1; b != files.end(); ++b) {
      const std::optional<std::string>&one = a->path, &other = b->path;
      if (one && other && is_same_file(*one, *other))
        return report::format("{} and {} name the same file, '{}'", a->option, b->option, *one);
    }
  }
  return {};
}

/// The table, or matrices, or both.
std::string comparison_of(const report::record_set& set, bool whole_table) {
  const auto matrices = report::matrices(set);
  const bool has_table = whole_table || matrices.empty() || set.records.size() <= table_lines_at_most;
  std::string text = has_table ? report::table(set) : "";
  for (const report::matrix& each : matrices) text += (text.empty() ? "" : "\n") + report::text_of(each);
  if (!has_table)
    text += "\n" + report::counted(set.records.size(), "line") + " of the table are not shown: --table shows them.\n";
  return text;
}

/// One call of run, compare or simulate, step by step. Each step returns false after it has complained.
class experiment {
 public:
  experiment(const arguments& words, engine::side& side, console& to) : words_(words), side_(side), console_(to) {}

  exit_code go() {
    if (!understand() || !open_files() || !measure()) return exit_code::wrong_usage;
    print();
    if (!write_files()) return exit_code::wrong_usage;
    if (os::is_interrupted()) return exit_code::interrupted;
    return all_verified_ ? exit_code::success : exit_code::wrong_result;
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
    set_.machine = machine_of(side_);
    if (!try_sweep()) return false;
    const engine::program_request wanted{words_.subject.c_str(), plan_.size.c_str(), plan_.input.c_str(), plan_.format.c_str(),
                                         plan_.seed};
    program_.reset(side_.open(wanted, wrong));
    if (!wrong.ok()) wrong.sentence += hint_at_programs();
    for (const case_plan& each : plan_.cases) {
      if (wrong.ok()) program_->check(each.request(plan_.seed), wrong);
    }
    return accept(wrong.sentence);
  }

  /// Effect: the machine has had every value of the sweep, so that none is refused when others have been measured.
  bool try_sweep() {
    if (!plan_.sweep) return true;
    engine::problem wrong;
    std::vector<std::string> values = plan_.sweep->values;
    std::rotate(values.begin(), values.end() - 1, values.end());  // of a range that goes too far its end is named
    for (auto each = values.begin(); wrong.ok() && each != values.end(); ++each)
      side_.describe_machine({plan_.sweep->cost + "=" + *each}, wrong);
    return accept(wrong.ok() ? "" : "--sweep '" + *words_.sweep + "': " + wrong.sentence);
  }

  /// Returns: the program of that name, as it is to be named: in the folders of PATH, or in this folder. Nothing if there is
  /// none.
  std::optional<std::string> program_named() const {
    for (const std::string& name : {words_.subject, "./" + words_.subject}) {
      const auto path = os::find_executable(name);
      const os::file_kind kind = path ? os::kind_of(*path) : os::file_kind::missing;
      if (kind == os::file_kind::plain || kind == os::file_kind::other_owner) return name;
    }
    return std::nullopt;
  }

  /// Returns: where a program belongs, if what is no workload is one.
  std::string hint_at_programs() const {
    const auto names = names_in(side_, engine::list_kind::workloads);
    const auto program = program_named();
    if (std::find(names.begin(), names.end(), words_.subject) != names.end() || !program) return {};
    if (words_.which == command::simulate) return "; programs cannot be simulated: teff run -- " + *program + " runs one";
    const std::string verb = words_.which == command::run ? "run" : "compare";
    return "; a program stands behind '--': teff " + verb + " -- " + *program;
  }

  bool open_files() {
    if (!accept(find_same_file({{"--output", words_.output}, {"--json", words_.json_file}, {"--html", words_.html_file}})))
      return false;
    if (words_.output == standard_output) return accept("--output cannot be '-'; allowed: the name of a file");
    if (words_.output && !program_->has_result())
      return accept("workload " + words_.subject + " has no result that --output could write");
    if (words_.output && !accept(output_.open(*words_.output))) return false;
    return open_file(words_.json_file, json_) && open_file(words_.html_file, html_);
  }

  bool open_file(const std::optional<std::string>& path, output_file& file) {
    return !path || path == standard_output || accept(file.open(*path));
  }

  bool measure() {
    set_.workload = words_.subject;
    set_.size = program_->size();
    set_.commit = commit_text;
    if (!plan_.sweep) {
      if (!measure_cases(std::nullopt)) return false;
      return !words_.why || os::is_interrupted() || !report::has_gap(set_) || knock_out();
    }
    set_.sweep = plan_.sweep->cost;
    for (const std::string& value : plan_.sweep->values) {
      engine::problem wrong;
      side_.describe_machine({set_.sweep + "=" + value}, wrong);
      if (!accept(wrong.sentence) || !measure_cases(std::strtod(value.c_str(), nullptr))) return false;
      if (os::is_interrupted()) break;
      os::note_next_interrupt();
    }
    return true;
  }

  /// Effect: adds the records of all cases. `swept`: what the swept cost of the machine is.
  bool measure_cases(std::optional<double> swept) {
    if (!run_cases(swept ? report::format("{} = {:g}", set_.sweep, *swept) : "")) return false;
    if (swept && os::is_interrupted()) return true;  // some of its records are missing
    for (report::record& each : measured_->records()) {
      each.swept = swept;
      set_.records.push_back(std::move(each));
    }
    return true;
  }

  /// Effect: runs all cases again without one cost after the other.
  bool knock_out() {
    for (const knock_out_plan& each : knock_outs_of(side_)) {
      engine::problem wrong;
      side_.describe_machine(each.without, wrong);
      if (!accept(wrong.sentence) || !run_cases("without " + each.name)) return false;
      if (os::is_interrupted()) break;
      side_.describe_machine(each.with, wrong);
      if (!accept(wrong.sentence)) return false;
      set_.knock_outs.push_back({each.name, each.shown, each.parts, measured_->records()});
    }
    return true;
  }

  /// `changed`: what is different about the machine this time.
  bool run_cases(const std::string& changed) {
    measured_ = std::make_unique<measurement>(*program_, plan_, side_.simulated(), console_, changed);
    engine::problem wrong;
    measured_->run(wrong);
    all_verified_ = all_verified_ && measured_->all_verified();
    return accept(wrong.sentence);
  }

  void print() {
    console_.result(report::headline(set_) + "\n\n");
    if (plan_.sweep) return print_sweep();
    console_.result(comparison_of(set_, words_.whole_table));
    print_metrics();
    if (words_.account) {
      console_.result("\n" + report::account_table(set_));
      if (set_.records.size() == 1 && !words_.stats) console_.result("\n" + report::account_of(set_.records.front()));
    }
    if (words_.stats) {
      console_.result("\n" + stats_of(set_.records.front(), measured_->counter_texts()));
      console_.result("\n" + report::account_of(set_.records.front()));
    }
    const auto lines = report::advice(set_);
    if (!lines.empty()) console_.result("\n");
    for (const std::string& each : lines) console_.result(each + "\n");
    if (const std::string reasons = report::reason_table(set_); !reasons.empty()) console_.result("\n" + reasons);
    if (words_.why) print_why();
  }

  void print_why() {
    const std::string table = report::why_table(set_);
    if (os::is_interrupted()) {
      return console_.result((table.empty() ? "\n" : "\n" + table + "\n") +
                             "The search for what a gap is made of was interrupted: there may be more to it.\n");
    }
    console_.result("\n" + (table.empty() ? "Nothing takes longer than the best beyond noise: there is no gap to look into.\n"
                                          : table + "\n"));
    for (const std::string& each : report::why_sentences(set_)) console_.result(each + "\n");
  }

  void print_metrics() {
    if (const std::string measured = report::metric_table(set_); !measured.empty()) console_.result("\n" + measured);
  }

  void print_sweep() {
    console_.result(report::sweep_table(set_));
    if (words_.whole_table) console_.result("\n" + report::table(set_));
    print_metrics();
    if (words_.account) console_.result("\n" + report::account_table(set_));
    console_.result("\n");
    for (const std::string& each : report::sweep_sentences(set_)) console_.result(each + "\n");
  }

  bool write_files() {
    if (words_.output && all_verified_) {
      engine::problem wrong;
      program_->write_result(output_, words_.output->c_str(), plan_.format.c_str(), wrong);
      if (!accept(wrong.sentence) || !accept(output_.commit())) return false;
    }
    if (words_.json_file && !write_file(*words_.json_file, json_, report::json(set_))) return false;
    return !words_.html_file || write_file(*words_.html_file, html_, report::html(set_));
  }

  bool write_file(const std::string& path, output_file& file, const std::string& text) {
    if (path == standard_output) {
      console_.machine_readable(text);
      return true;
    }
    file.write(text.data(), text.size());
    return accept(file.commit());
  }

  const arguments& words_;
  engine::side& side_;
  console& console_;
  plan plan_;
  std::unique_ptr<engine::program> program_;
  output_file output_, json_, html_;
  std::unique_ptr<measurement> measured_;  ///< the last one
  bool all_verified_ = true;
  report::record_set set_;
};

}  // namespace

exit_code run_something(const arguments& words, engine::side& side, console& to) { return experiment(words, side, to).go(); }

}  // namespace teff::cli
