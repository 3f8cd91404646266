// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/calibrate/calibrate.h"

#include "cli/kernel.h"
#include "report/json.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace teff::cli {

namespace {

using report::format;

constexpr unsigned usual_repeats = 21, quick_repeats = 3;
constexpr std::uint64_t usual_k = 20, quick_k = 10;
/// A part: what is farther off, or differs more from repetition to repetition, gets a sentence.
constexpr double much = 0.25;

std::string nanoseconds(const std::optional<double>& value) { return value ? format("{:.4g}", *value) : "-"; }

std::string duration_of(const std::optional<double>& ns) { return ns ? duration_text(*ns) : "-"; }

std::string percent(const std::optional<double>& part) {
  if (!part) return "-";
  return std::abs(*part) < 0.0005 ? "0.0 %" : format("{:+.1f} %", 100 * *part);
}

std::string fitted_text(const calibrated_case& of) {
  if (of.number.empty()) return "none";
  if (!of.measured) return of.number + " as generic";
  return format("{} {:.6g}{}", of.number, of.value, of.at_bound ? " (its bound)" : "");
}

std::string machine_title(const std::string& date, bool quick) {
  std::string title = format("{} on which it was measured on {}{}", read_processor_name(), date, quick ? ", quickly" : "");
  const auto is_control = [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7f; };
  std::replace_if(title.begin(), title.end(), is_control, ' ');
  return title;
}

std::string json_of(const calibration& of) {
  std::vector<std::string> cells;
  for (const calibrated_case& each : of.cases()) {
    const auto error = error_of(each);
    const bool fitted = !each.number.empty() && each.measured;
    cells.insert(cells.end(), {each.name, nanoseconds(each.measured), format("{:.4g}", spread_of(each)), each.number,
                               fitted ? format("{:.12g}", each.value) : "", nanoseconds(each.simulated),
                               error ? format("{:.4g}", *error) : "-"});
  }
  return report::json({"case", "native_ns", "spread", "number", "fitted", "simulated_ns", "error"}, cells);
}

/// One call, step by step. Each step returns false after it has complained.
class calibrating {
 public:
  calibrating(const arguments& words, engine::laboratory& measured, engine::model& model, console& to)
      : words_(words),
        model_(model),
        console_(to),
        date_(os::date_today()),
        calibration_(measured, model,
                     {words.quick ? quick_repeats : usual_repeats, words.quick ? quick_k : usual_k,
                      machine_title(date_, words.quick), date_},
                     [&to](const std::string& what) { to.progress(what); }) {}

  exit_code go() {
    if (!open_files()) return exit_code::wrong_usage;
    engine::problem wrong;
    calibration_.measure(wrong);
    if (wrong.ok()) calibration_.fit(wrong);
    console_.clear_progress();
    if (!accept(wrong.sentence))
      return wrong.why == engine::problem::kind::usage ? exit_code::wrong_usage : exit_code::wrong_result;
    console_.result(table_of(calibration_) + "\n" + remarks_on(calibration_));
    if (!write_file(file_, model_.text())) return exit_code::wrong_usage;
    const std::string word = words_.output ? word_of(path_) : "this";
    console_.result(format("'{}' is written: teff simulate WORKLOAD --machine {}\n", path_, word));
    return write_json() ? exit_code::success : exit_code::wrong_usage;
  }

 private:
  bool accept(const std::string& sentence) {
    if (!sentence.empty()) console_.complain(sentence);
    return sentence.empty();
  }

  /// Finds out what cannot be written before anything is measured.
  bool open_files() {
    if (words_.output == standard_output) return accept("--output cannot be '-'; allowed: the name of a file");
    path_ = words_.output ? *words_.output : model_.file_of_this();
    if (path_.empty() && !words_.output)
      return accept(
          "where is the machine to be written? neither XDG_CONFIG_HOME nor HOME is the full name of a folder; name a file with "
          "--output");
    if (words_.output && words_.json_file && is_same_file(*words_.output, *words_.json_file))
      return accept(format("--output and --json name the same file, '{}'", *words_.output));
    std::error_code error;
    if (!words_.output) std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
    if (error) return accept(format("cannot write '{}': {}; nothing was written", path_, error.message()));
    if (!accept(file_.open(path_))) return false;
    return !words_.json_file || words_.json_file == standard_output || accept(json_.open(*words_.json_file));
  }

  bool write_file(output_file& file, const std::string& text) {
    file.write(text.data(), text.size());
    return accept(file.commit());
  }

  bool write_json() {
    if (!words_.json_file) return true;
    if (words_.json_file != standard_output) return write_file(json_, json_of(calibration_));
    console_.machine_readable(json_of(calibration_));
    return true;
  }

  /// Returns: the file as --machine takes it for one.
  static std::string word_of(const std::string& path) {
    const bool is_file = path.ends_with(".toml") || path.find('/') != std::string::npos;
    return is_file ? path : "./" + path;
  }

  const arguments& words_;
  engine::model& model_;
  console& console_;
  const std::string date_;
  calibration calibration_;
  std::string path_;
  output_file file_, json_;
};

std::vector<std::string> row_of(const calibrated_case& of) {
  const std::string spread = of.measured ? format("{:.0f} %", 100 * spread_of(of)) : "-";
  return {of.name, duration_of(of.measured), spread, fitted_text(of), duration_of(of.simulated), percent(error_of(of))};
}

/// Returns: of the cases that no number was chosen by, the one that is farthest off.
const calibrated_case* farthest(const calibration& of) {
  const calibrated_case* found = nullptr;
  double most = 0;
  for (const calibrated_case& each : of.cases()) {
    const auto error = error_of(each);
    if (!error || !each.number.empty()) continue;
    if (found != nullptr && std::abs(*error) <= most) continue;
    found = &each;
    most = std::abs(*error);
  }
  return found;
}

}  // namespace

std::string table_of(const calibration& of) {
  using report::align;
  std::vector<std::vector<std::string>> rows = {{"case", "native", "spread", "fitted", "simulated", "error"}};
  for (const bool fitted : {true, false}) {
    for (const calibrated_case& each : of.cases()) {
      if (each.number.empty() != fitted) rows.push_back(row_of(each));
    }
  }
  return report::columns(rows, {align::left, align::right, align::right, align::left, align::right, align::right});
}

std::string remarks_on(const calibration& of) {
  std::string text;
  if (!of.unmeasured().empty()) text += format("not measured here, and as in generic: {}\n", report::joined(of.unmeasured()));
  text +=
      "fitted: the number was chosen so that the simulated time is the native one; what error is left comes of whole cycles, or "
      "of a number at its bound\n";
  if (const calibrated_case* const far = farthest(of); far != nullptr) {
    const bool is_far = std::abs(error_of(*far).value_or(0)) > much;
    text += format("none: nothing was fitted to these, so they show how good the machine is; the farthest is {}, {}", far->name,
                   percent(error_of(*far)));
    text += is_far ? ". A large error says that something takes time here which the simulator leaves out or counts twice: do "
                     "not trust simulated times of such programs on this machine further than that\n"
                   : "\n";
  }
  const auto is_spread = [](const calibrated_case& each) { return spread_of(each) > much; };
  const auto spread = static_cast<std::uint64_t>(std::count_if(of.cases().begin(), of.cases().end(), is_spread));
  if (spread != 0)
    text += format(
        "spread: the middle half of the repetitions differs by more than {:.0f} % of the median in {}; where the machine was "
        "busy, calibrate again when it is not\n",
        100 * much, report::counted(spread, "case"));
  return text;
}

exit_code calibrate(const arguments& words, engine::laboratory& measured, engine::model& model, console& to) {
  return calibrating(words, measured, model, to).go();
}

}  // namespace teff::cli
