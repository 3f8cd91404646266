// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes what machine_file.cpp reads.
#include "sim/machine_costs.h"
#include "sim/machines.h"

namespace TEFF_NAMESPACE::sim {

namespace {

using platform::level;

/// A text in quotes, as TOML has it. Pre: one line.
std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') made += '\\';
    made += each;
  }
  return made + '"';
}

std::string line_of(const std::string& key, const std::string& value, const std::string& source) {
  return key + " = [" + value + ", " + quoted(source) + "]\n";
}

std::string shares_of(const machine_level& of) {
  std::string names;
  for (const auto& [part, name] : {std::pair(level::core, "core"), {level::cache, "cache"}, {level::package, "package"}}) {
    if (of.is(part)) names += (names.empty() ? "" : ", ") + quoted(name);
  }
  return names.empty() ? "" : "shares = [" + names + "]\n";
}

}  // namespace

std::string machine_text(const described_machine& machine) {
  const auto source = [&](const std::string& name) {
    const auto found = machine.sources.find(name);
    return found == machine.sources.end() || found->second.empty() ? "not known" : found->second;
  };
  std::string text = "title = " + quoted(machine.title) + "\n\n";
  for (const real_cost& each : real_costs)
    text += line_of(each.name, text_of_number(machine.costs.*each.member), source(each.name));
  for (const whole_cost& each : whole_costs)
    text += line_of(each.name, std::to_string(machine.costs.*each.member), source(each.name));
  const bool has_caches = machine.costs.states_capacities();
  for (const cache_number& each : cache_numbers) {
    const whole_cost& number = each.number;
    if (has_caches && (!each.of_domain || machine.costs.shares_cache()))
      text += line_of(number.name, std::to_string(machine.costs.*number.member), source(number.name));
  }
  for (unsigned i = 0; i < machine.costs.levels; ++i) {
    const machine_level& of = machine.costs.level[i];
    const std::string& name = machine.level_names[i];
    text += "\n[[level]]\nname = " + quoted(name) + "\n" + shares_of(of) +
            line_of("width", std::to_string(of.width), source(name + "_size")) +
            line_of("transfer", std::to_string(of.transfer), source(transfer_name(machine, i)));
    if (has_caches) text += line_of("memory", std::to_string(of.memory), source(memory_name(machine, i)));
  }
  return text;
}

}  // namespace TEFF_NAMESPACE::sim
