// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds a described machine on which cases take as long as they were measured to take.
///
/// Idea: each case depends on one number that no case before it has fixed, so that the numbers are found one after the other: by
/// search in the simulator, because there the case is run, not reckoned. Left over are cases that no number is chosen for; they
/// show how good the machine is.
#pragma once

#include "cli/calibrate/laboratory.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct calibration_plan {
  unsigned repeats;   ///< of each case that is measured
  std::uint64_t k;    ///< the size of the synthetic workload
  std::string title;  ///< of the machine
  std::string date;   ///< of the measurement
};

/// A case, and what came of it.
struct calibrated_case {
  std::string name;
  std::string number;                         ///< that is chosen by it; none: the case shows how good the machine is
  std::vector<double> samples;                ///< measured ns for one operation
  std::optional<double> measured, simulated;  ///< ns; measured: the median
  double value = 0;                           ///< of the number
  bool at_bound = false;                      ///< the number cannot be such that the times are equal

  // Either a trial, …
  engine::trial which = engine::trial::cycle;
  std::optional<engine::part_kind> between;  ///< where its two threads are
  // … or tasks.
  std::optional<engine::tasks_request> tasks;
};

/// Returns: three digits and a unit.
std::string duration_text(double ns);

/// Returns: simulated against measured, as 0.1 for a tenth too long; nothing if one of them is missing.
std::optional<double> error_of(const calibrated_case& of);
/// Returns: by how much the middle half of the samples differs, as a part of their median.
double spread_of(const calibrated_case& of);

class calibration {
 public:
  using report_progress = std::function<void(const std::string&)>;

  calibration(engine::laboratory& measured, engine::model& model, calibration_plan how, report_progress progress);

  /// Effect: measures all cases, round after round, so that drift of the machine hits all alike. Errors: `wrong`.
  void measure(engine::problem& wrong);
  /// Effect: chooses the numbers of the model, and times all cases on it. Pre: measured. Errors: `wrong`.
  void fit(engine::problem& wrong);

  const std::vector<calibrated_case>& cases() const { return cases_; }
  /// Returns: the numbers that no case was measured for.
  const std::vector<std::string>& unmeasured() const { return unmeasured_; }

 private:
  void list_cases();
  void list_pairs();
  void list_checks();
  void add(const std::string& name, engine::trial which, const std::string& number);
  void add_pair(const std::string& name, engine::trial which, const std::string& number);
  void add_tasks(const char* pool, unsigned workers, std::uint64_t f, const std::string& number);
  void describe_levels(engine::problem& wrong);
  void add_level(unsigned kind, unsigned& inner);
  std::optional<double> time_of(const calibrated_case& some, bool simulated, engine::problem& wrong);
  void choose_number(calibrated_case& some, double measured, engine::problem& wrong);
  static double reciprocal(calibrated_case& some, double measured, double least, double most);
  double search(calibrated_case& some, double wanted, double least, double most, engine::problem& wrong);

  engine::laboratory& measured_;
  engine::model& model_;
  const calibration_plan plan_;
  const report_progress progress_;
  engine::machine_parts measured_parts_{}, model_parts_{};
  engine::part_kind nearest_pair_ = engine::part_kind::machine;  ///< of the first two places
  std::vector<calibrated_case> cases_;
  std::vector<std::string> unmeasured_;
};

}  // namespace teff::cli
