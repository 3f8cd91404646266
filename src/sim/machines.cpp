// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/machines.h"

#include "base/assert.h"
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "sim/machine_costs.h"
#include "sim/operation.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace TEFF_NAMESPACE::sim {

namespace {

constexpr std::size_t file_bytes_at_most = 1 << 20;
constexpr const char* changed = "changed by --machine";

std::string size_name(const described_machine& of, unsigned level) { return of.level_names[level] + "_size"; }

std::string source_in(const described_machine& machine, const std::string& name) {
  const auto found = machine.sources.find(name);
  return found == machine.sources.end() ? "" : found->second;
}

void list_levels(const described_machine& machine, std::vector<machine_number>& all) {
  const machine_description& costs = machine.costs;
  for (unsigned i = 0; i + 1 < costs.levels; ++i) {
    const std::string name = size_name(machine, i);
    all.push_back(
        {name, std::to_string(costs.level[i].width), "processors of one " + machine.level_names[i], source_in(machine, name)});
  }
  for (unsigned i = 0; i < costs.levels; ++i) {
    const std::string name = transfer_name(machine, i);
    const bool last = i + 1 == costs.levels;
    all.push_back({name, std::to_string(costs.level[i].transfer),
                   last ? "cycles: a line from a processor that is no nearer"
                        : "cycles: a line from a processor of the same " + machine.level_names[i],
                   source_in(machine, name), 0, access_cost_at_most});
  }
}

/// What is stated of caches, if anything is.
void list_caches(const described_machine& machine, std::vector<machine_number>& all) {
  const machine_description& costs = machine.costs;
  if (!costs.states_capacities()) return;
  for (const cache_number& each : cache_numbers) {
    const whole_cost& number = each.number;
    if (each.of_domain && !costs.shares_cache()) continue;
    all.push_back({number.name, std::to_string(costs.*number.member), number.what, source_in(machine, number.name),
                   static_cast<double>(number.least), static_cast<double>(number.most)});
  }
  for (unsigned i = 0; i < costs.levels; ++i) {
    const std::string name = memory_name(machine, i);
    const bool last = i + 1 == costs.levels;
    all.push_back({name, std::to_string(costs.level[i].memory),
                   last ? "cycles: a line from memory that is no nearer"
                        : "cycles: a line from the memory of the same " + machine.level_names[i],
                   source_in(machine, name), 1, access_cost_at_most});
  }
}

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
  return "machine setting " + name + " cannot be '" + quotable(value) + "'; allowed: " + allowed;
}

std::string set_whole(const std::string& name, const std::string& value, unsigned least, unsigned most, unsigned& target) {
  if (parse(value, least, most, target)) return {};
  return refused(name, value, "whole numbers " + std::to_string(least) + " ... " + std::to_string(most));
}

/// The width of a level that is not the last: it stays between its neighbours, and ranges still lie within one another. The last
/// range of the machine may be cut off by its end.
std::string set_width(described_machine& machine, unsigned at, const std::string& value) {
  auto& level = machine.costs.level;
  const std::string name = size_name(machine, at);
  unsigned width = 0;
  const unsigned inner = at == 0 ? 1 : level[at - 1].width;
  if (std::string wrong = set_whole(name, value, inner, level[at + 1].width, width); !wrong.empty()) return wrong;
  if (width % inner != 0) return refused(name, value, "multiples of " + std::to_string(inner) + ", because levels nest");
  const bool outer_is_machine = at + 2 == machine.costs.levels;
  if (!outer_is_machine && level[at + 1].width % width != 0)
    return refused(name, value, "divisors of " + std::to_string(level[at + 1].width) + ", because levels nest");
  level[at].width = width;
  return {};
}

/// Returns: whether it is the name of a number of a level, or of jitter; then `wrong` is what became of it.
bool set_of_level(described_machine& machine, const std::string& name, const std::string& value, std::string& wrong) {
  for (unsigned i = 0; i < machine.costs.levels; ++i) {
    if (i + 1 < machine.costs.levels && name == size_name(machine, i)) {
      wrong = set_width(machine, i, value);
      return true;
    }
    if (machine.costs.states_capacities() && name == memory_name(machine, i)) {
      wrong = set_whole(name, value, 1, access_cost_at_most, machine.costs.level[i].memory);
      return true;
    }
    if (name != transfer_name(machine, i)) continue;
    wrong = set_whole(name, value, 0, access_cost_at_most, machine.costs.level[i].transfer);
    return true;
  }
  return false;
}

std::string set_cost(described_machine& machine, const std::string& name, const std::string& value) {
  const auto set = [&](const whole_cost& each) {
    return set_whole(name, value, each.least, each.most, machine.costs.*each.member);
  };
  for (const whole_cost& each : whole_costs) {
    if (name == each.name) return set(each);
  }
  if (name == jitter_cost.name) return set(jitter_cost);
  for (const cache_number& each : cache_numbers) {
    const bool is_stated = machine.costs.states_capacities() && (!each.of_domain || machine.costs.shares_cache());
    if (is_stated && name == each.number.name) return set(each.number);
  }
  for (const real_cost& each : real_costs) {
    if (name != each.name) continue;
    if (parse(value, each.least, each.most, machine.costs.*each.member)) return {};
    return refused(name, value, text_of_number(each.least) + " ... " + text_of_number(each.most));
  }
  std::vector<std::string> names;
  for (const machine_number& each : numbers_of(machine)) names.push_back(each.name);
  return unknown_name_sentence("machine setting", name, names);
}

std::string read_file(const std::string& file, std::string& text) {
  errno = EIO;  // where the system says nothing of its own
  std::ifstream from(file, std::ios::binary);
  text.assign(file_bytes_at_most + 1, '\0');
  if (!from.is_open() || (from.read(text.data(), static_cast<std::streamsize>(text.size())), from.bad()) ||
      (from.gcount() == 0 && !from.eof()))
    return "machine file '" + quotable(file) + "' cannot be read: " + std::strerror(errno);
  text.resize(static_cast<std::size_t>(from.gcount()));
  if (text.size() > file_bytes_at_most) return "machine file '" + quotable(file) + "' is longer than 1 MiB";
  return {};
}

/// The machine at hand, which is there once it was measured.
std::string choose_this(described_machine& into) {
  const std::string file = file_of_this();
  if (file.empty())
    return "machine 'this' cannot be looked for: neither XDG_CONFIG_HOME nor HOME is the full name of a folder; name its file";
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return "machine 'this' has not been measured: run 'teff calibrate', which writes '" + quotable(file) + "'";
  std::string wrong = choose_machine(file, into);
  if (wrong.empty()) into.name = name_of_this;
  else wrong += "; 'teff calibrate' writes it anew";
  return wrong;
}

/// Returns: the value of a variable that is the full name of a folder, or nothing.
std::string folder_in(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? value : "";
}

}  // namespace

std::string transfer_name(const described_machine& of, unsigned level) {
  return level + 1 == of.costs.levels ? "remote_transfer" : "same_" + of.level_names[level] + "_transfer";
}

std::string memory_name(const described_machine& of, unsigned level) {
  return level + 1 == of.level_names.size() && level + 1 == of.costs.levels ? "remote_memory"
                                                                            : "same_" + of.level_names[level] + "_memory";
}

std::string text_of_number(double value) {
  char buffer[32];
  // 1e+09 is no whole number to those who read one.
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  return {buffer, std::to_chars(std::begin(buffer), std::end(buffer), value).ptr};
}

std::string file_of_this() {
  const std::string own = folder_in("XDG_CONFIG_HOME"), home = folder_in("HOME");
  if (own.empty() && home.empty()) return {};
  return (own.empty() ? home + "/.config" : own) + "/teff/this.toml";
}

const described_machine& generic_machine() {
  static const described_machine kept = [] {
    described_machine made;
    const std::string wrong = choose_machine(embedded_machines().front().name, made);
    TEFF_REQUIRE(wrong.empty(), "mend src/sim/machines/generic.toml");
    return made;
  }();
  return kept;
}

bool is_machine_file(std::string_view word) {
  return word.ends_with(".toml") || word.substr(0, word.find('=')).find('/') != std::string_view::npos;
}

std::string choose_machine(const std::string& name_or_file, described_machine& into) {
  if (is_machine_file(name_or_file)) {
    std::string text;
    std::string wrong = read_file(name_or_file, text);
    return wrong.empty() ? read_machine(text, name_or_file, into) : wrong;
  }
  std::vector<std::string> names;
  for (const embedded_machine& each : embedded_machines()) {
    if (name_or_file == each.name) return read_machine(each.text, each.name, into);
    names.emplace_back(each.name);
  }
  if (name_or_file == name_of_this) return choose_this(into);
  names.emplace_back(name_of_this);
  return unknown_name_sentence("machine", name_or_file, names);
}

std::string levels_of(const described_machine& machine) {
  std::string text;
  for (unsigned i = 0; i < machine.costs.levels; ++i) {
    const machine_level& level = machine.costs.level[i];
    text +=
        (i > 0 ? ", " : "") + machine.level_names[i] + " " + std::to_string(level.width) + ": " + std::to_string(level.transfer);
  }
  return text;
}

std::vector<machine_number> numbers_of(const described_machine& machine) {
  std::vector<machine_number> all;
  for (const real_cost& each : real_costs)
    all.push_back(
        {each.name, text_of_number(machine.costs.*each.member), each.what, source_in(machine, each.name), each.least, each.most});
  list_levels(machine, all);
  const auto add = [&](const whole_cost& each) {
    all.push_back({each.name, std::to_string(machine.costs.*each.member), each.what, source_in(machine, each.name),
                   static_cast<double>(each.least), static_cast<double>(each.most)});
  };
  for (const whole_cost& each : whole_costs) add(each);
  list_caches(machine, all);
  add(jitter_cost);
  return all;
}

std::string set_number(described_machine& machine, const std::string& name, const std::string& value) {
  std::string wrong;
  if (!set_of_level(machine, name, value, wrong)) wrong = set_cost(machine, name, value);
  if (wrong.empty()) machine.sources[name] = changed;
  return wrong;
}

machine_description in_domains_of(const machine_description& machine, unsigned processors_each) {
  machine_description made = machine;
  unsigned near = 0;
  for (unsigned i = 0; i < machine.levels; ++i) {
    if (machine.level[i].is(platform::level::cache)) near = i;
  }
  made.levels = 2;
  made.level = {};
  made.level[0] = {processors_each, machine.level[near].transfer, sharing(platform::level::cache), machine.level[near].memory};
  made.level[1] = {places_at_most, machine.level[machine.levels - 1].transfer, 0, machine.level[machine.levels - 1].memory};
  return made;
}

}  // namespace TEFF_NAMESPACE::sim
