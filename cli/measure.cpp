// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/measure.h"

#include "cli/system.h"
#include "report/text.h"

#include <algorithm>
#include <utility>

namespace teff::cli {

using report::format;

namespace {

std::vector<report::account_part> account_of(const engine::run_result& result) {
  std::vector<report::account_part> made;
  for (std::size_t i = 0; i < result.part_names.size(); ++i)
    made.push_back({result.part_names[i], result.part_texts[i], result.part_values[i]});
  return made;
}

std::vector<report::resource> resources_of(const engine::run_result& result) {
  std::vector<report::resource> made;
  for (std::size_t i = 0; i < result.resource_names.size(); ++i) {
    const std::uint64_t* const values = &result.resource_values[4 * i];
    const auto kind = values[0] != 0 ? report::resource::kind::line : report::resource::kind::lock;
    made.push_back({result.resource_names[i], kind, values[1], values[2], values[3]});
  }
  return made;
}

}  // namespace

measurement::measurement(engine::program& what, const plan& how, bool simulated, console& to, std::string changed)
    : program_(what), plan_(how), simulated_(simulated), console_(to), changed_(std::move(changed)) {
  for (const case_plan& each : how.cases) {
    cases_.emplace_back();
    cases_.back().plan = &each;
  }
}

void measurement::run(engine::problem& wrong) {
  for (unsigned round = 1; round <= plan_.repeats; ++round) {
    run_serial(round, wrong);
    for (measured_case& each : cases_) {
      if (wrong.ok() && !os::is_interrupted()) run_case(each, round, wrong);
    }
    if (!wrong.ok()) return;
    if (os::is_interrupted()) break;
  }
  console_.clear_progress();
}

void measurement::run_serial(unsigned round, engine::problem& wrong) {
  show_progress("serial program");
  engine::run_result result;
  program_.run_serial(simulated_ ? plan_.variation_of(round) : 0, result, wrong);
  if (is_right("the serial program", round, result, wrong)) serial_seconds_.push_back(result.seconds);
  else serial_verified_ = false;
}

void measurement::run_case(measured_case& some, unsigned round, engine::problem& wrong) {
  const case_plan& own = *some.plan;
  show_progress(format("{} with {}, {}", own.pool, own.memory, report::counted(own.workers, "worker")));
  engine::run_result result;
  program_.run(own.request(plan_.seed, simulated_ ? plan_.variation_of(round) : 0), result, wrong);
  const std::string where = format("{} with {} on {}", own.pool, own.memory, report::counted(own.workers, "worker"));
  if (changed_.empty()) os::note_next_interrupt();         // a record of this case is worth having
  if (result.workers != 0) some.workers = result.workers;  // a run that does not end tells nothing
  some.tasks = std::max(some.tasks, result.tasks);
  some.ended = some.ended && wrong.why != engine::problem::kind::no_end;
  if (!is_right(where, round, result, wrong)) {
    some.verified = false;
    return;
  }
  some.seconds.push_back(result.seconds);
  some.samples.push_back({result.counter_values, result.tasks_by_worker, result.peak_live_tasks, result.peak_bytes,
                          result.peak_fibers, result.metrics, result.account_ns, account_of(result), resources_of(result)});
  names_ = result.counter_names;
  for (std::size_t i = 0; i < names_.size(); ++i) texts_[names_[i]] = result.counter_texts[i];
}

bool measurement::is_right(const std::string& where, unsigned round, const engine::run_result& result, engine::problem& wrong) {
  ++done_;
  if (wrong.why == engine::problem::kind::usage) return false;
  if (wrong.ok() && result.verified) return true;
  const std::string machine = changed_.empty() ? "" : ", " + changed_;
  console_.complain(format("{}{}, run {}: {}", where, machine, round, wrong.ok() ? result.wrong : wrong.sentence));
  wrong.set(engine::problem::kind::none, "");
  return false;
}

void measurement::show_progress(const std::string& what) {
  const std::string machine = changed_.empty() ? "" : changed_ + ": ";
  console_.progress(format("[{}/{}] {}{}", done_ + 1, plan_.repeats * (cases_.size() + 1), machine, what));
}

bool measurement::all_verified() const {
  return serial_verified_ && std::all_of(cases_.begin(), cases_.end(), [](const measured_case& each) { return each.verified; });
}

std::vector<report::record> measurement::records() const {
  std::vector<report::record> made;
  for (const measured_case& each : cases_) {
    const bool has_run = !each.seconds.empty() || !each.verified || !each.ended;
    if (has_run) made.push_back(record_of(each));
  }
  return made;
}

report::record measurement::record_of(const measured_case& some) const {
  report::record made;
  made.pool = some.plan->pool;
  made.memory = some.plan->memory;
  made.workers = some.workers != 0 ? some.workers : some.plan->workers;
  made.workers_asked = some.plan->workers;
  made.simulated = simulated_;
  made.verified = some.verified && serial_verified_;
  made.ended = some.ended;
  made.tasks = some.tasks;
  made.seed = plan_.seed;
  made.settings = some.plan->settings;
  made.seconds = some.seconds;
  made.serial_seconds = serial_seconds_;
  if (some.seconds.empty()) return made;
  const sample& typical = some.samples[report::median_index(some.seconds)];
  for (std::size_t i = 0; i < names_.size(); ++i) made.counters.push_back({names_[i], typical.counters[i]});
  made.tasks_by_worker = typical.tasks_by_worker;
  made.peak_live_tasks = typical.peak_live_tasks;
  made.peak_bytes = typical.peak_bytes;
  made.peak_fibers = typical.peak_fibers;
  made.account_ns = typical.account_ns;
  made.account = typical.account;
  made.resources = typical.resources;
  for (const engine::metric& each : typical.metrics) made.metrics.push_back({each.name, each.what, each.value, each.instead});
  return made;
}

}  // namespace teff::cli
