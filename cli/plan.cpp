// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/plan.h"

#include "cli/numbers.h"

#include <algorithm>
#include <limits>

namespace teff::cli {

namespace {

constexpr std::uint64_t repeats_at_most = 1'000;
constexpr const char* standard_size = "small";
/// How far simulations go if nothing is said and the machine has so many processors.
constexpr unsigned simulated_workers = 64;

/// Returns: "1,2,4,…" and the last one.
std::string doubled_up_to(unsigned last) {
  std::string text;
  for (unsigned each = 1; each < last; each *= 2) text += std::to_string(each) + ",";
  return text + std::to_string(last);
}

std::string standard_workers(const arguments& words, const engine::side& side) {
  if (words.which == command::simulate) return doubled_up_to(std::min(simulated_workers, side.workers_at_most()));
  const std::string usable = std::to_string(std::min(side.usable_processors(), side.workers_at_most()));
  return words.which == command::run || usable == "1" ? usable : "1," + usable;
}

/// Names of pools or managers: one for `run`, a list or all for the others.
std::string choose_names(const arguments& words, const std::optional<std::string>& text, const char* option,
                         const std::vector<std::string>& all, const std::string& standard, std::vector<std::string>& chosen) {
  const std::string wanted = text.value_or(standard);
  if (words.which == command::run) chosen = {wanted};
  else if (wanted == "all") chosen = all;
  else return parse_list(option, wanted, chosen);
  return {};
}

std::string remark_on_processors(const engine::side& side) {
  if (!side.simulated()) return {};
  return "; machine " + side.machine_name() + " has " + std::to_string(side.workers_at_most()) + " processors";
}

std::string choose_workers(const arguments& words, const engine::side& side, std::vector<unsigned>& chosen) {
  const std::string wanted = words.workers.value_or(standard_workers(words, side));
  std::vector<std::string> elements;
  if (words.which == command::run) elements = {wanted};
  else if (std::string wrong = parse_list("--workers", wanted, elements); !wrong.empty()) return wrong;
  for (const std::string& each : elements) {
    std::uint64_t number = 0;
    if (std::string wrong = parse_number({"--workers", 1, side.workers_at_most()}, each, number); !wrong.empty())
      return wrong + remark_on_processors(side);
    chosen.push_back(static_cast<unsigned>(number));
  }
  return {};
}

std::string choose_numbers(const arguments& words, plan& made) {
  std::uint64_t repeats = words.which == command::compare ? 5 : 1;
  std::string wrong = words.repeat ? parse_number({"--repeat", 1, repeats_at_most}, *words.repeat, repeats) : std::string();
  made.repeats = static_cast<unsigned>(repeats);
  if (!wrong.empty() || !words.seed) return wrong;
  return parse_number({"--seed", 0, std::numeric_limits<std::uint64_t>::max()}, *words.seed, made.seed);
}

bool has_setting(const engine::side& side, const case_plan& some, const std::string& name) {
  const auto is_there = [&](engine::list_kind what, const std::string& of) {
    const auto names = names_in(side, what, of.c_str());
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return is_there(engine::list_kind::settings, some.pool) || is_there(engine::list_kind::manager_settings, some.memory);
}

}  // namespace

std::string setting_name(const std::string& text) { return text.substr(0, text.find('=')); }

std::vector<std::string> names_in(const engine::side& side, engine::list_kind what, const char* of) {
  engine::text_table table;
  engine::problem wrong;
  side.list(what, of, table, wrong);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.cells.size(); i += table.columns.size()) names.push_back(table.cells[i]);
  return names;
}

std::uint64_t plan::variation_of(unsigned round) const {
  if (round <= 1) return 0;
  const std::uint64_t drawn = (seed + 1) * 0x9e3779b97f4a7c15 + round * 0xbf58476d1ce4e5b9;
  return drawn != 0 ? drawn : 1;
}

std::string make_plan(const arguments& words, const engine::side& side, plan& made) {
  made.size = words.size.value_or(standard_size);
  made.input = words.input.value_or("");
  made.format = words.format.value_or("");
  if (words.threads) return "--threads is for programs behind '--'; a workload has --workers";
  if (words.input && words.input->empty()) return "the name of the input file is empty";
  if (words.format && *words.format != "text" && *words.format != "binary")
    return side.unknown_name("format", *words.format, {"text", "binary"});
  if (words.format && !words.input && !words.output)
    return "--format " + *words.format + " says how a file is written, but there is neither --input nor --output";
  const auto all_pools = names_in(side, engine::list_kind::pools), all_memories = names_in(side, engine::list_kind::managers);
  std::vector<std::string> pools, memories;
  std::vector<unsigned> workers;
  const std::string pools_if_not_given = words.which == command::run ? standard_pool : "all";
  for (const std::string& wrong : {choose_names(words, words.pools, "--pools", all_pools, pools_if_not_given, pools),
                                   choose_names(words, words.memories, "--memories", all_memories, standard_memory, memories),
                                   choose_workers(words, side, workers), choose_numbers(words, made)}) {
    if (!wrong.empty()) return wrong;
  }
  for (const std::string& pool : pools) {
    for (const std::string& memory : memories) {
      for (const unsigned count : workers) made.cases.push_back({pool, memory, count, {}});
    }
  }
  share_settings(words.settings, made.cases,
                 [&](const case_plan& some, const std::string& name) { return has_setting(side, some, name); });
  if (!words.sweep) return {};
  if (words.why) return "--sweep and --why do not go together: the reasons are those of one machine";
  return parse_sweep(*words.sweep, made.sweep.emplace());
}

}  // namespace teff::cli
