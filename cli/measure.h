// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs what a plan says, and keeps what came out.
#pragma once

#include "cli/engine.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "report/record.h"

#include <map>
#include <string>
#include <vector>

namespace teff::cli {

class measurement {
 public:
  /// `changed`: what is different about the machine this time, as "park = 2000", for messages; empty: nothing.
  measurement(engine::program& what, const plan& how, bool simulated, console& to, std::string changed = {});

  /// Effect: runs every case and the serial program in turn, round after round, so that drift of the machine hits all alike.
  /// A wrong result is told at once, and the rest goes on. Errors: `wrong`, for what makes all further runs senseless.
  void run(engine::problem& wrong);

  bool all_verified() const;
  /// Pre: run.
  std::vector<report::record> records() const;
  /// What each counter counts. Pre: run.
  const std::map<std::string, std::string>& counter_texts() const { return texts_; }

 private:
  /// What is kept of one run besides its time.
  struct sample {
    std::vector<std::uint64_t> counters, tasks_by_worker;
    std::uint64_t peak_live_tasks, peak_bytes, peak_fibers;
    std::vector<engine::metric> metrics;
    std::uint64_t account_ns;
    std::vector<report::account_part> account;
    std::vector<report::resource> resources;
  };
  struct measured_case {
    const case_plan* plan;
    std::vector<double> seconds;
    std::vector<sample> samples;
    std::uint64_t tasks = 0;
    unsigned workers = 0;
    bool verified = true;
    bool ended = true;
  };

  void run_serial(unsigned round, engine::problem& wrong);
  void run_case(measured_case& some, unsigned round, engine::problem& wrong);
  /// Returns: whether the result may be used.
  bool is_right(const std::string& where, unsigned round, const engine::run_result& result, engine::problem& wrong);
  void show_progress(const std::string& what);
  report::record record_of(const measured_case& some) const;

  engine::program& program_;
  const plan& plan_;
  const bool simulated_;
  console& console_;
  const std::string changed_;
  std::vector<measured_case> cases_;
  std::vector<double> serial_seconds_;
  bool serial_verified_ = true;
  std::vector<std::string> names_;
  std::map<std::string, std::string> texts_;
  std::size_t done_ = 0;
};

}  // namespace teff::cli
