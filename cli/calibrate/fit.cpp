// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/calibrate/fit.h"

#include "report/record.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace teff::cli {

namespace {

using engine::part_kind;
using engine::trial;
using report::format;

struct kind_name {
  const char* level;  ///< of the level
  const char* pair;   ///< of two processors that have this in common, and nothing nearer
};
constexpr kind_name kind_names[engine::part_kinds] = {
    {"core", "same core"}, {"cache", "same cache"}, {"package", "same package"}, {"machine", "other package"}};

constexpr const char* clock_rate = "cycles_per_ns";
constexpr const char* charge_unit = "cycles_per_charge_unit";
constexpr const char* nearest_cost = "own_line_hit";

/// Numbers are whole cycles, but for the two rates, which have three digits behind the point.
double steps_per_unit(const std::string& number) { return number == charge_unit || number == clock_rate ? 1000 : 1; }

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

}  // namespace

std::string duration_text(double ns) { return ns < 10 ? format("{:.3g} ns", ns) : report::duration(ns * 1e-9); }

std::optional<double> error_of(const calibrated_case& of) {
  if (!of.measured || !of.simulated || *of.measured <= 0) return std::nullopt;
  return *of.simulated / *of.measured - 1;
}

double spread_of(const calibrated_case& of) {
  if (of.samples.size() < 2 || !of.measured || *of.measured <= 0) return 0;
  std::vector<double> sorted = of.samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t quarter = sorted.size() / 4;
  return (sorted[sorted.size() - 1 - quarter] - sorted[quarter]) / *of.measured;
}

calibration::calibration(engine::laboratory& measured, engine::model& model, calibration_plan how, report_progress progress)
    : measured_(measured), model_(model), plan_(std::move(how)), progress_(std::move(progress)) {}

void calibration::measure(engine::problem& wrong) {
  measured_.parts(measured_parts_, wrong);
  if (!wrong.ok()) return;
  list_cases();
  for (unsigned round = 1; round <= plan_.repeats; ++round) {
    for (calibrated_case& each : cases_) {
      progress_(format("[{}/{}] {}", round, plan_.repeats, each.name));
      const std::optional<double> sample = time_of(each, false, wrong);
      if (!wrong.ok()) return;
      if (sample) each.samples.push_back(*sample);
    }
  }
  for (calibrated_case& each : cases_) {
    if (!each.samples.empty()) each.measured = report::median(each.samples);
    else if (!each.number.empty()) unmeasured_.push_back(each.number);
  }
}

void calibration::fit(engine::problem& wrong) {
  model_.begin(plan_.title.c_str(), wrong);
  if (wrong.ok()) describe_levels(wrong);
  for (calibrated_case& each : cases_) {
    if (!wrong.ok()) return;
    progress_("fitting " + each.name);
    if (!each.number.empty() && each.measured) choose_number(each, *each.measured, wrong);
  }
  for (calibrated_case& each : cases_) {
    if (!wrong.ok()) return;
    progress_("simulating " + each.name);
    each.simulated = time_of(each, true, wrong);
  }
}

/// In this order each one depends on what is fitted before it, and on its own number.
void calibration::list_cases() {
  add("a cycle", trial::cycle, clock_rate);
  add("a charge unit", trial::charge, charge_unit);
  add("reading the clock", trial::clock, "clock_read");
  add("a load or store", trial::hit, nearest_cost);
  add("an atomic addition", trial::add, "read_modify_write_extra");
  add("a fence", trial::fence, "fence");
  add("a pause", trial::pause, "pause");
  list_pairs();
  add("a park in vain", trial::park, "park");
  add_pair("a wake", trial::wake, "wake");
  add_pair("a wake and its answer", trial::answer, "wake_latency");
  add_pair("thread start", trial::thread_start, "thread_start");
  add("memory from the system", trial::allocation, "system_allocation");
  add("memory back to it", trial::release, "system_release");
  add("first write to a page", trial::page_touch, "page_touch");
  add_tasks("dq8", 1, 0, "put_or_get");
  list_checks();
}

void calibration::list_pairs() {
  if (measured_parts_.processors < 2) {
    unmeasured_ = {"sizes and transfers of all levels", "fence_everywhere", "wake", "wake_latency", "thread_start"};
    return;
  }
  bool found = false;
  for (unsigned kind = 0; kind < engine::part_kinds; ++kind) {
    const engine::machine_part& part = measured_parts_.of[kind];
    if (!part.is_there) continue;
    const bool is_first_two = part.first == 0 && part.second == 1;
    if (is_first_two || !found) nearest_pair_ = static_cast<part_kind>(kind);
    found = true;
    const bool last = std::none_of(measured_parts_.of + kind + 1, std::end(measured_parts_.of),
                                   [](const engine::machine_part& other) { return other.is_there; });
    add(format("ping-pong, {}", kind_names[kind].pair), trial::ping_pong,
        last ? "remote_transfer" : format("same_{}_transfer", kind_names[kind].level));
    cases_.back().between = static_cast<part_kind>(kind);
  }
  add_pair("a fence everywhere", trial::fence_everywhere, "fence_everywhere");
}

void calibration::list_checks() {
  if (measured_parts_.processors < 2) return;
  add_pair("thread start and join", trial::start_and_join, "");
  add_pair("contended additions", trial::contended_add, "");
  add_pair("park and wake in turn", trial::round_trip, "");
  add_pair("lock hand-off", trial::lock, "");
  add_pair("lock hand-off, first come", trial::fifo_lock, "");
  for (const char* const pool : {"sq1", "dq2", "teff"}) {
    for (const std::uint64_t f : {0, 5, 40}) add_tasks(pool, 2, f, "");
  }
}

void calibration::add(const std::string& name, trial which, const std::string& number) {
  cases_.emplace_back();
  cases_.back().name = name;
  cases_.back().which = which;
  cases_.back().number = number;
}

/// Pre: there are two processors; else nothing is added.
void calibration::add_pair(const std::string& name, trial which, const std::string& number) {
  if (measured_parts_.processors < 2) return;
  add(name, which, number);
  cases_.back().between = nearest_pair_;
}

void calibration::add_tasks(const char* pool, unsigned workers, std::uint64_t f, const std::string& number) {
  add(format("a task, {}, f = {}, {}", pool, f, report::counted(workers, "worker")), trial::cycle, number);
  cases_.back().tasks = engine::tasks_request{pool, workers, plan_.k, f};
}

/// The levels of the model are the parts in which two processors of the measured machine may be near.
void calibration::describe_levels(engine::problem& wrong) {
  if (measured_parts_.processors >= 2) {
    model_.clear_levels();
    unsigned inner = 1;
    for (unsigned kind = 0; kind < engine::part_kinds; ++kind) {
      if (!measured_parts_.of[kind].is_there) continue;
      add_level(kind, inner);
    }
  }
  model_.parts(model_parts_, wrong);
}

/// Effect: `inner`, the width of the level within, becomes that of this one.
void calibration::add_level(unsigned kind, unsigned& inner) {
  const unsigned counted = measured_parts_.of[kind].width;
  const auto is_there = [](const engine::machine_part& part) { return part.is_there; };
  const auto* const beyond = measured_parts_.of + kind + 1;
  const auto* const end = std::end(measured_parts_.of);
  // Where the mask or the maker left out some processors, a part may be no multiple of one within, or be no larger. It becomes
  // two of these at least, so that there is a pair of processors at this distance; each level beyond needs two of this one.
  const unsigned most = model_.processors_at_most() >> std::count_if(beyond, end, is_there);
  const unsigned width = std::clamp((counted + inner - 1) / inner, 2U, most / inner) * inner;
  // Where no two processors have a wider kind of part in common and nothing nearer, those parts are the same as these.
  const auto next = static_cast<unsigned>(std::find_if(beyond, end, is_there) - measured_parts_.of);
  const auto shares = [&](part_kind of) { return static_cast<unsigned>(of) >= kind && static_cast<unsigned>(of) < next; };
  const char* const source =
      width == counted ? "counted among the usable processors" : "counted among the usable processors, and rounded";
  model_.add_level(
      {kind_names[kind].level, width, source, shares(part_kind::core), shares(part_kind::cache), shares(part_kind::package)});
  inner = width;
}

std::optional<double> calibration::time_of(const calibrated_case& some, bool simulated, engine::problem& wrong) {
  engine::laboratory& where = simulated ? model_ : measured_;
  if (some.tasks) return where.time_tasks(*some.tasks, wrong);
  const engine::machine_parts& parts = simulated ? model_parts_ : measured_parts_;
  if (!some.between) return where.time(some.which, 0, 0, wrong);
  const engine::machine_part& part = parts.of[static_cast<unsigned>(*some.between)];
  return where.time(some.which, part.first, part.second, wrong);
}

void calibration::choose_number(calibrated_case& some, double measured, engine::problem& wrong) {
  double least = 0, most = 0;
  model_.bounds(some.number.c_str(), least, most, wrong);
  if (some.which == trial::ping_pong) {
    // Farther processors are no nearer than those of a level within, as files of machines have to have it.
    for (const calibrated_case& each : cases_) {
      if (&each == &some) break;
      if (each.which == trial::ping_pong || each.number == nearest_cost) least = std::max(least, each.value);
    }
  }
  if (!wrong.ok()) return;
  some.value = some.number == clock_rate ? reciprocal(some, measured, least, most) : search(some, measured, least, most, wrong);
  if (!wrong.ok()) return;
  const std::string source = format("fitted: {}, {} on {}", some.name, duration_text(measured), plan_.date) +
                             (some.at_bound ? "; this is its bound, and the case takes another time" : "");
  model_.set(some.number.c_str(), some.value, source.c_str(), wrong);
}

/// Returns: the clock rate at which a cycle takes the measured time, or comes nearest to it.
double calibration::reciprocal(calibrated_case& some, double measured, double least, double most) {
  const double wanted = rounded(1 / measured, steps_per_unit(some.number));
  some.at_bound = wanted < least || wanted > most;
  return std::clamp(wanted, least, most);
}

/// Returns: the value with which the model takes the measured time, or comes nearest to it. The time grows with the value.
double calibration::search(calibrated_case& some, double wanted, double least, double most, engine::problem& wrong) {
  const double per_unit = steps_per_unit(some.number), step = 1 / per_unit;
  const auto at = [&](double value) {
    model_.set(some.number.c_str(), value, "tried", wrong);
    return wrong.ok() ? time_of(some, true, wrong).value_or(0) : 0;
  };
  double low = least, low_ns = at(low);
  some.at_bound = wrong.ok() && low_ns > wanted;
  if (low_ns >= wanted || !wrong.ok()) return low;
  double high = low, high_ns = low_ns;
  // Most cases take a cycle more for each of the number's; the step doubles where that is too little.
  for (double reach = std::max(step, rounded((wanted - low_ns) * 4, per_unit)); high_ns < wanted && high < most && wrong.ok();
       reach *= 2) {
    low = std::exchange(high, std::min(most, high + reach));
    low_ns = std::exchange(high_ns, at(high));
  }
  some.at_bound = high_ns < wanted;
  if (some.at_bound) return high;
  for (bool halve = false; high - low > 1.5 * step && wrong.ok(); halve = !halve) {
    const double part = halve ? 0.5 : (wanted - low_ns) / (high_ns - low_ns);
    const double middle = std::clamp(rounded(low + part * (high - low), per_unit), low + step, high - step);
    const double middle_ns = at(middle);
    (middle_ns < wanted ? low : high) = middle;
    (middle_ns < wanted ? low_ns : high_ns) = middle_ns;
  }
  return high_ns - wanted <= wanted - low_ns ? high : low;
}

}  // namespace teff::cli
