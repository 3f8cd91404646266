// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/environment.h"

#include "platform/tuning.h"
#include "teff/runtime.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace TEFF_NAMESPACE::runtime {

namespace {

template <class Number>
bool parse(Number& number, const std::string& text) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

std::string take_workers(wishes& of, const std::string& value) {
  unsigned workers = 0;
  if (!parse(workers, value) || workers < 1 || workers > tuning::workers_at_most) {
    return "cannot be '" + value + "'; allowed: 1 … " + std::to_string(tuning::workers_at_most);
  }
  of.team.workers = workers;
  return {};
}

std::string take_pool(wishes& of, const std::string& value) { return take_name(of.team.pool, "pool", value, pool_names()); }
std::string take_memory(wishes& of, const std::string& value) {
  return take_name(of.team.memory, "memory manager", value, manager_names());
}

std::string take_wait(wishes& of, const std::string& value) {
  wait_mode mode{};
  std::string wrong = teff::take_wait(mode, value);
  constexpr const char* settings[] = {"wait=spin", "wait=spin-then-park", "wait=park"};  // in the order of the modes
  if (wrong.empty()) of.team.settings = {settings[static_cast<std::size_t>(mode)]};
  return wrong;
}

std::string take_seed(wishes& of, const std::string& value) {
  return parse(of.team.seed, value) ? "" : "cannot be '" + value + "'; allowed: 0 … 18446744073709551615";
}

/// What is wrong shows when the pool and the number of workers are known.
std::string take_set(wishes& of, const std::string& value) {
  of.asked_settings = take_list(value);
  return {};
}

std::string take_stats(wishes& of, const std::string& value) { return take_flag(of.stats, value); }

/// Read by make_team, for every team.
std::string check_display(wishes&, const std::string& value) {
  bool unused;
  return take_flag(unused, value);
}
std::string check_watchdog(wishes&, const std::string& value) {
  std::uint64_t unused;
  return take_watchdog(unused, value);
}

constexpr variable known[] = {
    {"TEFF_DISPLAY", "1: each team says on standard error what it is", check_display},
    {"TEFF_MEMORY", "memory manager of the default team", take_memory},
    {"TEFF_NUM_THREADS", "workers of the default team", take_workers},
    {"TEFF_POOL", "pool of the default team", take_pool},
    {"TEFF_SEED", "seed of everything random in the default team", take_seed},
    {"TEFF_SET", "settings of the default team's pool and memory manager: name=value, with commas between them", take_set},
    {"TEFF_STATS", "1: the default team says on standard error, at its end, what it counted", take_stats},
    {"TEFF_WAIT", "what idle workers of the default team do: latency (spin), balanced (spin, then park) or power (park)",
     take_wait},
    {"TEFF_WATCHDOG", "seconds without progress after which a team explains what its tasks wait for", check_watchdog},
};
static_assert(std::equal(std::begin(known), std::end(known), std::begin(variable_names), std::end(variable_names),
                         [](const variable& each, std::string_view name) { return name == each.name; }),
              "what the runtime reads is what it is not blamed for");

/// Effect: of the settings that were asked for, those that are not wrong, nor given by another variable, are the team's.
void take_asked_settings(wishes& of, std::vector<std::string>& complaints) {
  const auto check = [with = of.team](std::span<const std::string> settings) mutable {
    with.settings.assign(settings.begin(), settings.end());
    team_plan unused;
    return understand(with, unused);
  };
  std::vector<std::string> wrong;
  pool::take_each(of.team.settings, of.asked_settings, check, wrong);
  for (const std::string& each : wrong) complaints.push_back("the variable TEFF_SET: " + each);
}

}  // namespace

std::span<const variable> known_variables() { return known; }

wishes understand_environment(const variables& given, std::vector<std::string>& complaints) {
  wishes of;
  for (const auto& [name, value] : given) {
    const auto* const found =
        std::find_if(std::begin(known), std::end(known), [&](const variable& each) { return name == each.name; });
    if (found == std::end(known)) {
      complaints.push_back(complaint_about_variable(name));
    } else if (!value.empty()) {
      const std::string wrong = found->understand(of, value);
      if (!wrong.empty())
        complaints.push_back(std::string("the variable ").append(name).append(" ").append(wrong).append("; it is ignored"));
    }
  }
  take_asked_settings(of, complaints);
  return of;
}

}  // namespace TEFF_NAMESPACE::runtime
