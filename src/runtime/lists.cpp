// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What may be named (include/teff/runtime.hpp): pools, managers, settings, variables.
#include "teff/teff.hpp"

#include "base/nearest_name.h"
#include "runtime/environment.h"
#include "runtime/make_team.h"

#include <algorithm>
#include <cstring>

namespace TEFF_NAMESPACE {

std::vector<pool_line> list_pools() {
  std::vector<pool_line> lines;
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    lines.push_back({{each.name, each.what, each.source}, each.waiting_task_bytes});
  });
  return lines;
}

std::vector<catalogue_line> list_managers() {
  std::vector<catalogue_line> lines;
  mem::for_each_manager(
      [&]<mem::spec Spec>(const char* name, const char* what, const char* source) { lines.push_back({name, what, source}); });
  return lines;
}

namespace {

std::vector<setting_line> lines_of(const std::vector<const char*>& names) {
  std::vector<setting_line> lines;
  for (const char* name : names) {
    for (const pool::setting& each : pool::all_settings()) {
      if (std::strcmp(name, each.name) == 0)
        lines.push_back({each.name, each.values, std::string(each.standard) + each.but, each.what});
    }
  }
  return lines;
}

/// Returns: the settings of that pool, and those beside them. Errors: usage_error for an unknown pool.
std::vector<const char*> known(const std::string& pool, std::span<const char* const> of_teams) {
  auto uses = pool::settings_of(pool, of_teams);
  if (uses.empty()) throw usage_error(unknown_name("pool", pool, runtime::pool_names()));
  return uses;
}

}  // namespace

std::vector<setting_line> list_settings(const std::string& pool) { return lines_of(known(pool, pool::team_settings)); }

std::vector<setting_line> list_program_settings(const std::string& pool) { return lines_of(known(pool, pool::openmp_settings)); }

std::string wrong_program_settings(const std::string& pool, const std::vector<std::string>& settings, unsigned threads) {
  pool::settings set;
  std::string wrong = pool::apply(set, settings, known(pool, pool::openmp_settings), "an OpenMP program on pool " + pool);
  return wrong.empty() ? set.domains.refusal(threads) : wrong;
}

std::vector<setting_line> list_manager_settings(const std::string& memory) {
  const auto managers = runtime::manager_names();
  if (std::find(managers.begin(), managers.end(), memory) == managers.end()) {
    throw usage_error(unknown_name("memory manager", memory, managers));
  }
  return lines_of(runtime::settings_of_manager(memory));
}

std::vector<variable_line> list_variables() {
  std::vector<variable_line> lines;
  for (const runtime::variable& each : runtime::known_variables()) lines.push_back({each.name, each.what});
  return lines;
}

std::string wrong_variable(const std::string& name, const std::string& value) {
  std::vector<std::string> complaints;
  runtime::understand_environment({{name, value}}, complaints);
  return complaints.empty() ? "" : complaints[0];
}

unsigned usable_processors() { return platform::usable_processors(); }

std::string unknown_name(const char* kind, const std::string& name, const std::vector<std::string>& allowed) {
  return unknown_name_sentence(kind, name, allowed);
}

}  // namespace TEFF_NAMESPACE
