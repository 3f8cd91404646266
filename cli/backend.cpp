// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/backend.h"

#include "platform/tuning.h"
#include "teff/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

namespace TEFF_NAMESPACE::cli {

void guarded(engine::problem& wrong, const char* if_no_memory, const std::function<void()>& function) {
  using engine::problem;
  try {
    function();
  } catch (const usage_error& error) {
    wrong.set(problem::kind::usage, error.what());
  } catch (const deadlock_error& error) {
    wrong.set(problem::kind::no_end, error.what());
  } catch (const std::bad_alloc&) {
    wrong.set(problem::kind::usage, if_no_memory);
  } catch (const std::exception& error) {
    wrong.set(problem::kind::wrong_result, error.what());
  }
}

#ifdef TEFF_SIMULATED

namespace {

void add_machine(const sim::described_machine& machine, engine::text_table& table) {
  table.cells.insert(table.cells.end(), {machine.name, std::to_string(machine.costs.processors()), sim::levels_of(machine),
                                         sim::numbers_of(machine).front().value, machine.title});
}

bool has_cost(const sim::described_machine& machine, const std::string& name) {
  const auto numbers = sim::numbers_of(machine);
  return std::any_of(numbers.begin(), numbers.end(), [&](const sim::machine_number& each) { return each.name == name; });
}

void simulate_to_its_end(const sim::options& options, const std::function<void()>& body) {
  tuning::small = false;  // the values of real runs, not those of tests
  const sim::outcome outcome = sim::simulate(options, body);
  if (!outcome.ok()) throw deadlock_error(outcome.report);
}

}  // namespace

sim::options backend::options_for(unsigned processors, draws drawn) const {
  sim::options options;
  options.processors_at_most = processors;
  options.machine = machine_.costs;
  options.seed = drawn.seed;
  options.variation = drawn.variation;
  return options;
}

void backend::simulate(unsigned processors, draws drawn, const std::vector<std::string>& settings,
                       const std::function<void()>& body) const {
  sim::options options = options_for(processors, drawn);
  for (const std::string& each : settings) {
    unsigned domains, workers;  // a team looks whether they are right
    if (std::sscanf(each.c_str(), "domains=%ux%u", &domains, &workers) == 2 && workers > 0)
      options.machine = sim::in_domains_of(machine_.costs, workers);
  }
  simulate_to_its_end(options, body);
}

void backend::simulate_serial(draws drawn, const std::function<void()>& body) const {
  sim::options options = options_for(1, drawn);
  options.steps_without_progress_at_most = std::numeric_limits<std::uint64_t>::max();
  simulate_to_its_end(options, body);
}

unsigned backend::processors() const { return machine_.costs.processors(); }
std::string backend::machine_name() const { return machine_.name; }

void backend::list_costs(engine::text_table& table) const {
  table.columns = {"name", "value", "what", "source"};
  for (const sim::machine_number& each : sim::numbers_of(machine_))
    table.cells.insert(table.cells.end(), {each.name, each.value, each.what, each.source});
}

void backend::list_machines(engine::text_table& table) const {
  table.columns = {"name", "processors", "levels", "cycles_per_ns", "what"};
  for (const sim::embedded_machine& each : sim::embedded_machines()) {
    sim::described_machine machine;
    const std::string wrong = sim::choose_machine(each.name, machine);
    if (!wrong.empty()) throw std::logic_error(wrong);
    add_machine(machine, table);
  }
  sim::described_machine here;
  const std::string wrong = sim::choose_machine(sim::name_of_this, here);
  if (wrong.empty()) add_machine(here, table);
  else table.cells.insert(table.cells.end(), {sim::name_of_this, "", "", "", wrong});
}

std::string backend::describe(const std::vector<std::string>& words) {
  bool first = true;
  for (const std::string& each : words) {
    const std::size_t equals = each.find('=');
    const bool names_machine = sim::is_machine_file(each) || equals == std::string::npos;
    if (names_machine && has_cost(machine_, each)) return "machine setting '" + each + "' has no value: write name=value";
    if (names_machine && !first) return "--machine " + each + " stands behind other words of the machine; name it first, once";
    const std::string wrong = names_machine ? sim::choose_machine(each, machine_)
                                            : sim::set_number(machine_, each.substr(0, equals), each.substr(equals + 1));
    if (!wrong.empty()) return wrong;
    first = false;
  }
  return {};
}

#else

void backend::simulate(unsigned, draws, const std::vector<std::string>&, const std::function<void()>& body) const { body(); }
void backend::simulate_serial(draws, const std::function<void()>& body) const { body(); }
unsigned backend::processors() const { return tuning::workers_at_most; }
std::string backend::machine_name() const { return {}; }
void backend::list_costs(engine::text_table&) const {}
void backend::list_machines(engine::text_table&) const {}
std::string backend::describe(const std::vector<std::string>& words) {
  return words.empty() ? "" : "this machine is as it is: only 'teff simulate' takes --machine";
}

#endif

}  // namespace TEFF_NAMESPACE::cli
