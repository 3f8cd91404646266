// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/build_information.h"
#include "cli/program/launch.h"
#include "cli/program/program.h"
#include "cli/program/sites.h"
#include "cli/program/wishes.h"
#include "cli/system.h"
#include "report/program.h"
#include "report/text.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace teff::cli {

namespace {

constexpr const char* statistics_line = "teff: ";
constexpr const char* unserved = "no region of OpenMP was counted on Teff";

/// Takes Teff's own lines ("teff: name: value") out of what a program wrote to standard error.
std::map<std::string, std::string> statistics_in(const std::string& errors) {
  std::map<std::string, std::string> found;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(statistics_line)) continue;
    line.erase(0, std::string_view(statistics_line).size());
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) found[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return found;
}

/// The rounds of one comparison: each runtime once in each of them, so that drift of the machine hits all alike.
class rounds {
 public:
  rounds(const target& program, const program_wishes& wishes, console& to) : program_(program), wishes_(wishes), console_(to) {
    std::vector<unsigned> threads = {0};
    if (!wishes.threads.empty()) threads.clear();
    for (const std::string& each : wishes.threads) threads.push_back(static_cast<unsigned>(std::stoul(each)));
    for (const unsigned each : threads) add_records(each);
    of_.command = program.words;
    of_.commit = commit_text;
  }

  /// Effect: measures, as long as each runtime is the one that it should be. Returns: an empty text, or a sentence if it is not,
  /// and there is nothing to compare.
  std::string measure() {
    std::string wrong;
    for (unsigned round = 0; round < wishes_.repeats && wrong.empty() && !os::is_interrupted(); ++round) {
      const std::vector<report::program_record> before = of_.records;
      for (report::program_record& each : of_.records) {
        if (each.failure.empty() && wrong.empty() && !os::is_interrupted()) wrong = run(each, round);
      }
      if (os::is_interrupted()) return take_back(before);
      if (wrong.empty()) wrong = look_for_unserved();
      os::note_next_interrupt();
    }
    for (report::program_record& each : of_.records) {
      if (!is_stock(each) && each.failure.empty() && wrong.empty() && !os::is_interrupted()) count(each);
    }
    console_.clear_progress();
    return wrong;
  }

  report::program_comparison& result() { return of_; }

 private:
  /// Effect: there is a record for each runtime, with so many threads; 0: as many as the program has.
  void add_records(unsigned threads) {
    report::program_record& stock = of_.records.emplace_back();
    stock.runtime = report::stock_runtime;
    stock.threads = threads;
    for (const pool_wish& each : wishes_.pools) {
      report::program_record& added = of_.records.emplace_back();
      added.runtime = each.name;
      added.settings = each.settings;
      added.threads = threads;
    }
  }

  /// Effect: of a round that was interrupted nothing counts: the program may have been interrupted, too.
  std::string take_back(const std::vector<report::program_record>& before) {
    std::copy(before.begin(), before.end(), of_.records.begin());
    console_.clear_progress();
    return {};
  }

  static std::string named(const report::program_record& of) {
    return of.threads == 0 ? of.runtime : of.runtime + ", " + report::counted(of.threads, "thread");
  }
  bool is_stock(const report::program_record& of) const { return &of == &report::stock_beside(of_, of); }

  std::optional<std::string> threads_of(const report::program_record& of) const {
    return of.threads != 0 ? std::to_string(of.threads) : wishes_.workers;
  }
  run_wishes wishes_of(const report::program_record& pool, bool stats) const {
    return {pool.runtime, threads_of(pool), stats, pool.settings, true};
  }

  /// Returns: an empty text, or a sentence if the stock runtime is not what ran.
  std::string run(report::program_record& into, unsigned round) {
    console_.progress(report::format("round {} of {}: {}", round + 1, wishes_.repeats, named(into)));
    auto environment = is_stock(into) ? environment_without(threads_of(into)) : environment_with_teff(wishes_of(into, false));
    environment.emplace_back("TEFF_STATS", std::nullopt);
    const counted_run done = run_counted(environment);
    compare_ends(into, done.how);
    if (done.how.error != 0) return {};
    if (is_stock(into) && done.regions > 0)
      return report::format("'{}' cannot be run on the stock runtime: it finds Teff's {} by itself", program_.words.front(),
                            gomp_name);
    callers_ += is_stock(into) ? 0 : done.callers;
    if (!is_stock(into) && done.regions == 0 && into.failure.empty() && !says_regions(into)) into.failure = unserved;
    into.seconds.push_back(done.how.seconds);
    into.processor_seconds.push_back(done.how.processor_seconds);
    into.peak_bytes = std::max(into.peak_bytes, done.how.peak_bytes);
    compare_output(into, done.how.output);
    return {};
  }

  /// Whether a process of the program says itself that it opened regions, which may have no way to the counter. Asked once of
  /// each, in a run of its own.
  bool says_regions(const report::program_record& of) {
    const auto [found, is_new] = said_regions_.try_emplace(of.runtime, false);
    if (is_new) {
      const counted_run done = run_counted(environment_with_teff(wishes_of(of, true)));
      found->second = statistics_in(done.how.errors).contains("regions");
    }
    return found->second;
  }

  /// In a run of its own, because looking at the clock at every task makes fine tasks slower. What it says is of one process;
  /// regions are those of all that can be counted, or, if none can, of that one.
  void count(report::program_record& into) {
    console_.progress("counting: " + named(into));
    const counted_run done = run_counted(environment_with_teff(wishes_of(into, true)));
    if (os::is_interrupted()) return;  // so the program may be
    into.statistics = statistics_in(done.how.errors);
    into.sites = sites_in(done.left);
    if (done.regions > 0 || !into.statistics.contains("regions")) into.statistics["regions"] = std::to_string(done.regions);
  }

  struct counted_run {
    os::ending how;
    std::uint64_t regions = 0, callers = 0;  ///< of Teff, in the program and what it started
    std::string left;                        ///< what was counted there by place, if anything was
  };

  counted_run run_counted(std::vector<os::variable> environment) {
    const os::region_counter counter;
    counted_run done;
    done.how.error = counter.error();
    if (done.how.error != 0) return done;
    environment.push_back(counter.entry());
    done.how = os::run({program_.path, program_.words, environment});
    done.regions = counter.regions();
    done.callers = counter.callers();
    done.left = counter.left();
    return done;
  }

  /// Returns: a sentence if no pool had anything to do: then the stock runtime would be compared with itself.
  std::string look_for_unserved() const {
    const bool all = std::all_of(of_.records.begin(), of_.records.end(),
                                 [&](const auto& each) { return is_stock(each) || each.failure == unserved; });
    return all && !wishes_.pools.empty() ? remark_on_unserved(program_, callers_) : "";
  }

  /// A program may well end with an exit code: then the stock runtime's is the one that all must have.
  void compare_ends(report::program_record& into, const os::ending& how) {
    const std::string failure = failure_of(how);
    const bool first = is_stock(into) && into.seconds.empty(), ended_itself = how.error == 0 && how.signal == 0;
    int& usual_code = usual_codes_[into.threads];
    if (first && ended_itself) usual_code = how.exit_code;
    if (ended_itself && how.exit_code == usual_code) {
      if (usual_code != 0) failures_by_usual_code_[&into] = failure;
    } else if (!failure.empty()) {
      into.failure = failure;
    } else if (is_stock(into)) {
      into.failure = report::format("exit code 0 behind exit code {}", usual_code);
    } else if (report::stock_beside(of_, into).failure.empty()) {
      disown_usual_code(into.threads);
    }
  }

  /// Effect: runs that ended with the stock runtime's exit code failed: another one ended well.
  void disown_usual_code(unsigned threads) {
    usual_codes_[threads] = 0;
    for (report::program_record& each : of_.records) {
      const auto found = failures_by_usual_code_.find(&each);
      if (each.threads == threads && each.failure.empty() && found != failures_by_usual_code_.end()) each.failure = found->second;
    }
  }

  void compare_output(report::program_record& into, const std::string& output) {
    std::string& usual_output = usual_outputs_[into.threads];
    if (is_stock(into) && into.seconds.size() == 1) usual_output = output;
    if (output == usual_output) return;
    into.output = is_stock(into) ? report::sameness::varies : report::sameness::differs;
  }

  const target& program_;
  const program_wishes& wishes_;
  console& console_;
  report::program_comparison of_;
  std::map<std::string, bool> said_regions_;  ///< by runtime
  std::uint64_t callers_ = 0;                 ///< of Teff's library, in all runs
  // Of the stock runtime, by the number of threads.
  std::map<unsigned, int> usual_codes_;
  std::map<const report::program_record*, std::string> failures_by_usual_code_;  ///< if that code is one other than 0
  std::map<unsigned, std::string> usual_outputs_;
};

/// A program that never prints the same (its time, say), or fails on the stock runtime, is not blamed on a pool that was compared
/// before that was known.
void settle(report::program_comparison& of) {
  for (report::program_record& each : of.records) {
    const report::program_record& stock = report::stock_beside(of, each);
    if (!stock.failure.empty()) each.output = report::sameness::unknown;
    else if (stock.output == report::sameness::varies) each.output = report::sameness::varies;
  }
}

exit_code judge(const report::program_comparison& of) {
  for (const report::program_record& each : of.records) {
    if (!each.failure.empty() || each.output == report::sameness::differs) return exit_code::wrong_result;
  }
  return exit_code::success;
}

/// Returns: an empty text, or a sentence.
std::string write(const arguments& words, output_file& file, const report::program_comparison& of, console& to) {
  if (!words.json_file) return {};
  const std::string text = report::json(of);
  if (*words.json_file == "-") {
    to.machine_readable(text);
    return {};
  }
  file.write(text.data(), text.size());
  return file.commit();
}

}  // namespace

exit_code compare_program(const arguments& words, const engine::side& side, console& to) {
  program_wishes wishes;
  target found;
  output_file file;
  std::string wrong = prepare(words, side, to, wishes, found);
  if (wrong.empty() && words.json_file && *words.json_file != "-") wrong = file.open(*words.json_file);
  if (!wrong.empty()) {
    to.complain(wrong);
    return exit_code::wrong_usage;
  }
  rounds all(found, wishes, to);
  if (wrong = all.measure(); !wrong.empty()) {
    to.complain(wrong + ". There is nothing to compare");
    return exit_code::wrong_usage;
  }
  report::program_comparison& of = all.result();
  of.usable_processors = side.usable_processors();
  settle(of);
  to.result(report::table(of) + "\n");
  if (const std::string settings = report::settings_line(of); !settings.empty()) to.result(settings + "\n");
  for (const std::string& each : report::advice(of)) to.result(each + "\n");
  if (wrong = write(words, file, of, to); !wrong.empty()) {
    to.complain(wrong);
    return exit_code::wrong_usage;
  }
  return os::is_interrupted() ? exit_code::interrupted : judge(of);
}

}  // namespace teff::cli
