// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/wishes.h"

#include "cli/numbers.h"
#include "cli/plan.h"
#include "report/text.h"

#include <algorithm>
#include <map>

namespace teff::cli {

namespace {

constexpr std::uint64_t threads_at_most = 256;
constexpr std::uint64_t repeats_at_most = 1'000;
constexpr unsigned standard_repeats = 5;
constexpr const char* standard_pool = "teff";
constexpr const char* standard_pools = "teff,sq1,sq4,dq5";

/// Returns: the first option that is given and is for workloads only.
std::string option_of_workloads(const arguments& words) {
  const std::pair<const char*, bool> options[] = {
      {words.which == command::run ? "--memory" : "--memories", words.memories.has_value()},
      {"--size", words.size.has_value()},
      {"--seed", words.seed.has_value()},
      {"--html", words.html_file.has_value()},
      {"--input", words.input.has_value()},
      {"--output", words.output.has_value()},
      {"--format", words.format.has_value()},
      {"--table", words.whole_table},
      {"--account", words.account},
      {"--repeat", words.which == command::run && words.repeat.has_value()},
  };
  for (const auto& [name, given] : options) {
    if (given) return name;
  }
  return {};
}

/// Returns: the pool that a program without a wish for one comes to: what is wrong in the environment it is told of itself.
std::string pool_of_environment(const std::vector<std::string>& known) {
  const std::string named = os::variable_of("TEFF_POOL").value_or("");
  return std::find(known.begin(), known.end(), named) != known.end() ? named : standard_pool;
}

/// Effect: adds to each pool's settings those of the environment that are others, as far as a program may have them on that pool:
/// the library would leave out the rest, and a comparison is to say what holds. What no pool can have is remarked upon, by one
/// that has a setting of that name if there is one.
template <class Has>
void add_those_of_environment(const engine::side& side, unsigned threads, const Has& has, program_wishes& made) {
  for (const std::string& each : settings_of_environment()) {
    const std::string name = setting_name(each);
    const auto is_same = [&](const std::string& own) { return setting_name(own) == name; };
    bool holds = false;
    std::string remark;
    for (pool_wish& to : made.pools) {
      if (std::any_of(to.settings.begin(), to.settings.end(), is_same)) {
        holds = true;  // it was named anew
        continue;
      }
      to.settings.push_back(each);
      const std::string wrong = side.wrong_program_settings(to.name, to.settings, threads);
      holds |= wrong.empty();
      if (wrong.empty()) continue;
      to.settings.pop_back();
      if (remark.empty() || has(to, name)) remark = wrong;
    }
    if (!holds) made.remarks.push_back("the variable TEFF_SET: " + remark + "; it is ignored");
  }
}

/// Whether workloads have a setting of that name, on whatever pool and manager.
bool is_of_workloads(const engine::side& side, const std::string& name) {
  using engine::list_kind;
  for (const auto& [owners, what] :
       {std::pair(list_kind::pools, list_kind::settings), std::pair(list_kind::managers, list_kind::manager_settings)}) {
    for (const std::string& each : names_in(side, owners)) {
      const auto names = names_in(side, what, each.c_str());
      if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    }
  }
  return false;
}

/// Returns: a sentence if it is the name of no setting at all, with what programs have on any of the pools.
std::string refuse_name(const engine::side& side, const std::string& name, const program_wishes& made) {
  if (made.pools.size() < 2 || is_of_workloads(side, name)) return {};
  std::vector<std::string> allowed, pools;
  for (const pool_wish& each : made.pools) {
    pools.push_back(each.name);
    for (const std::string& own : names_in(side, engine::list_kind::program_settings, each.name.c_str())) {
      if (std::find(allowed.begin(), allowed.end(), own) == allowed.end()) allowed.push_back(own);
    }
  }
  if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return {};
  const std::string kind = "setting of an OpenMP program on any of " + report::joined(pools);
  return side.unknown_name(kind.c_str(), name, allowed);
}

/// Effect: gives each pool the settings that a program has on it. One that no pool has goes to all, so that it is refused.
/// Returns: an empty text, or a sentence.
std::string choose_settings(const arguments& words, const engine::side& side, program_wishes& made) {
  const std::string& unnamed = made.unnamed = pool_of_environment(names_in(side, engine::list_kind::pools));
  const auto has = [&](const pool_wish& some, const std::string& setting) {
    const auto names = names_in(side, engine::list_kind::program_settings, (some.name.empty() ? unnamed : some.name).c_str());
    return std::find(names.begin(), names.end(), setting) != names.end();
  };
  for (const std::string& each : words.settings) {
    if (std::string wrong = refuse_name(side, setting_name(each), made); !wrong.empty()) return wrong;
  }
  share_settings(words.settings, made.pools, has);
  auto threads = made.workers ? static_cast<unsigned>(std::stoul(*made.workers)) : 0;
  for (const std::string& each : made.threads) threads = std::max(threads, static_cast<unsigned>(std::stoul(each)));
  for (const pool_wish& each : made.pools) {
    const std::string& pool = each.name.empty() ? unnamed : each.name;
    if (std::string wrong = side.wrong_program_settings(pool, each.settings, threads); !wrong.empty()) return wrong;
  }
  if (words.which != command::compare) return {};
  add_those_of_environment(side, threads, has, made);
  return {};
}

std::string choose_pools(const arguments& words, const engine::side& side, program_wishes& made) {
  std::vector<std::string> chosen;
  const auto known = names_in(side, engine::list_kind::pools);
  if (words.which == command::run) {
    if (words.pools) chosen = {*words.pools};
  } else if (words.pools == "all") {
    chosen = known;
  } else if (std::string wrong = parse_list("--pools", words.pools.value_or(standard_pools), chosen); !wrong.empty()) {
    return wrong;
  }
  for (const std::string& each : chosen) {
    if (std::find(known.begin(), known.end(), each) == known.end()) return side.unknown_name("pool", each, known);
    made.pools.push_back({each, {}});
  }
  if (made.pools.empty()) made.pools.emplace_back();
  return choose_settings(words, side, made);
}

/// Returns: an empty text, or a sentence.
std::string take_threads(const std::string& list, program_wishes& made) {
  if (std::string wrong = parse_list("--threads", list, made.threads); !wrong.empty()) return wrong;
  std::map<std::uint64_t, std::string> known;
  for (const std::string& each : made.threads) {
    std::uint64_t number = 1;
    if (std::string wrong = parse_number({"--threads", 1, threads_at_most}, each, number); !wrong.empty()) return wrong;
    const auto [first, is_new] = known.emplace(number, each);
    if (!is_new) return report::format("--threads has '{}' twice, the second time as '{}'", first->second, each);
  }
  return {};
}

/// Returns: an empty text, or a sentence about an option.
std::string understand(const arguments& words, const engine::side& side, program_wishes& made) {
  if (!words.subject.empty()) return "'" + words.subject + "' and a program behind '--': one of them is too many";
  if (const std::string option = option_of_workloads(words); !option.empty())
    return option + " is for workloads; a program takes its arguments behind its name";
  if (words.which == command::run && words.json_file == standard_output)
    return "--json -: standard output is the program's; name a file";
  std::uint64_t number = 1, repeats = words.which == command::compare ? standard_repeats : 1;
  if (words.workers) {
    if (std::string wrong = parse_number({"--workers", 1, threads_at_most}, *words.workers, number); !wrong.empty()) return wrong;
    made.workers = words.workers;
  }
  if (words.threads && words.workers)
    return "--workers " + *words.workers + " and --threads " + *words.threads + ": one of them is too many";
  if (words.threads) {
    if (std::string wrong = take_threads(*words.threads, made); !wrong.empty()) return wrong;
  }
  if (words.repeat) {
    if (std::string wrong = parse_number({"--repeat", 1, repeats_at_most}, *words.repeat, repeats); !wrong.empty()) return wrong;
  }
  made.repeats = static_cast<unsigned>(repeats);
  return choose_pools(words, side, made);
}

}  // namespace

std::string prepare(const arguments& words, const engine::side& side, console& to, program_wishes& wishes, target& found) {
  for (const auto& wrong : {understand(words, side, wishes), find_target(words.program, found), refuse_without_drop_in()}) {
    if (!wrong.empty()) return wrong;
  }
  for (const std::string& each : wishes.remarks) to.complain(each);
  if (const std::string remark = remark_on(found); !remark.empty()) to.complain(remark);
  return {};
}

}  // namespace teff::cli
