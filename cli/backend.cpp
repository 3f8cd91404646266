// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/backend.h"

#include "platform/tuning.h"
#include "teff/runtime.hpp"

#include <charconv>
#include <cstdio>
#include <vector>

namespace TEFF_NAMESPACE::cli {

#ifdef TEFF_SIMULATED

namespace {

using sim::machine_description;

struct cost {
  const char* name;
  unsigned machine_description::* member;
  unsigned least, most;
  const char* what;
};

constexpr unsigned at_most = 1'000'000'000;
/// Of an access to memory: how long waits back off fits real machines. Where an access takes longer than that, processors take
/// lines from under one another's hands for ever.
constexpr unsigned access_at_most = 10'000;
constexpr double ghz_at_most = 1000;
constexpr const char* clock_name = "cycles_per_ns";

constexpr cost costs[] = {
    {"domain_size", &machine_description::domain_size, 1, at_most, "processors that share a cache"},
    {"own_line_hit", &machine_description::own_line_hit, 1, access_at_most, "cycles: a line that the processor holds"},
    {"same_domain_transfer", &machine_description::same_domain_transfer, 0, access_at_most,
     "cycles: a line from a processor of the same domain"},
    {"remote_transfer", &machine_description::remote_transfer, 0, access_at_most, "cycles: a line from another domain"},
    {"read_modify_write_extra", &machine_description::read_modify_write_extra, 0, access_at_most,
     "cycles beyond those of a write"},
    {"shared_read_occupancy", &machine_description::shared_read_occupancy, 0, access_at_most,
     "cycles that a shared line is busy with one copy"},
    {"fence", &machine_description::fence, 0, at_most, "cycles: a full fence"},
    {"pause", &machine_description::pause, 1, at_most, "cycles: one round of a waiting loop"},
    {"clock_read", &machine_description::clock_read, 0, at_most, "cycles: reading the clock"},
    {"park", &machine_description::park, 0, at_most, "cycles: going to sleep"},
    {"wake", &machine_description::wake, 0, at_most, "cycles: waking somebody"},
    {"wake_latency", &machine_description::wake_latency, 0, at_most, "cycles until the woken one runs"},
    {"access_jitter", &machine_description::access_jitter, 0, access_at_most,
     "cycles: up to so many more for an access, drawn from the seed; 0: every seed gives the same run"},
    {"thread_start", &machine_description::thread_start, 0, at_most, "cycles: creating a thread"},
};

template <class Number>
bool parse(const std::string& text, Number least, Number most, Number& target) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Written so that a value that is no number is refused too.
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) return false;
  target = value;
  return true;
}

std::string refused(const std::string& name, const std::string& value, const std::string& allowed) {
  return "machine setting " + name + " cannot be '" + value + "'; allowed: " + allowed;
}

}  // namespace

void backend::simulate(unsigned processors, std::uint64_t seed, const std::vector<std::string>& settings,
                       const std::function<void()>& body) const {
  tuning::small = false;  // the values of real runs, not those of tests
  sim::options options;
  options.processors_at_most = processors;
  options.machine = machine_;
  options.seed = seed;
  for (const std::string& each : settings) {
    unsigned domains, workers;  // a team looks whether they are right
    if (std::sscanf(each.c_str(), "domains=%ux%u", &domains, &workers) == 2 && workers > 0) options.machine.domain_size = workers;
  }
  const sim::outcome outcome = sim::simulate(options, body);
  if (!outcome.ok()) throw deadlock_error(outcome.report);
}

void backend::list_costs(engine::text_table& table) const {
  table.columns = {"name", "value", "what"};
  std::string clock = std::to_string(machine_.cycles_per_ns);
  clock.erase(clock.find_last_not_of('0') + 1);
  if (clock.ends_with('.')) clock.pop_back();
  table.cells.insert(table.cells.end(), {clock_name, clock, "clock rate in GHz"});
  for (const cost& each : costs)
    table.cells.insert(table.cells.end(), {each.name, std::to_string(machine_.*each.member), each.what});
}

std::string backend::set_cost(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return "machine setting '" + text + "' has no value: write name=value";
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  if (name == clock_name)
    return parse(value, 0.001, ghz_at_most, machine_.cycles_per_ns) ? "" : refused(name, value, "0.001 ... 1000");
  std::vector<std::string> names = {clock_name};
  for (const cost& each : costs) {
    names.emplace_back(each.name);
    if (name != each.name) continue;
    if (parse(value, each.least, each.most, machine_.*each.member)) return {};
    return refused(name, value, "whole numbers " + std::to_string(each.least) + " ... " + std::to_string(each.most));
  }
  return unknown_name("machine setting", name, names);
}

#else

void backend::simulate(unsigned, std::uint64_t, const std::vector<std::string>&, const std::function<void()>& body) const {
  body();
}
void backend::list_costs(engine::text_table&) const {}
std::string backend::set_cost(const std::string&) { return "this machine is as it is: only 'teff simulate' takes --machine"; }

#endif

}  // namespace TEFF_NAMESPACE::cli
