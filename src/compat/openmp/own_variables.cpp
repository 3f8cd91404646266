// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teff's own variables, for OpenMP.
#include "compat/openmp/environment.h"

#include "base/variables.h"
#include "compat/openmp/refuse.h"
#include "pool/catalogue.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

std::string take_pool(process_icvs& all, const std::string& value) {
  return take_name(all.pool, "pool", value, pool::pool_names());
}

std::string take_stats(process_icvs& all, const std::string& value) { return take_flag(all.stats, value); }

std::string take_wait(process_icvs& all, const std::string& value) {
  wait_mode mode{};
  std::string wrong = teff::take_wait(mode, value);
  if (!wrong.empty()) return wrong;
  all.wait_policy = mode == wait_mode::latency ? 1 : mode == wait_mode::power ? 0 : -1;
  all.spin_rounds = -1;
  return {};
}

std::string take_watchdog(process_icvs& all, const std::string& value) { return teff::take_watchdog(all.watchdog_ns, value); }

std::string take_set(process_icvs& all, const std::string& value) {
  all.asked_settings = take_list(value);
  return {};
}

/// Effect: of the settings that were asked for, those that are not wrong are the pool's, which is known now.
void take_asked_settings(process_icvs& all) {
  const std::vector<const char*> uses = pool::settings_of(all.pool, pool::openmp_settings);
  const auto apply_to = [&](pool::settings& set, std::span<const std::string> texts) {
    return pool::apply(set, texts, uses, "pool " + all.pool);
  };
  std::vector<std::string> taken, wrong;
  const auto check = [&](std::span<const std::string> texts) {
    pool::settings unused;
    return apply_to(unused, texts);
  };
  pool::take_each(taken, all.asked_settings, check, wrong);
  apply_to(all.set, taken);
  for (const std::string& each : wrong) say("the variable TEFF_SET: %s", each.c_str());
}

}  // namespace

void read_own_variables(process_icvs& all) {
  using take = std::string (*)(process_icvs&, const std::string&);
  static constexpr std::pair<std::string_view, take> own[] = {{"TEFF_POOL", take_pool},
                                                              {"TEFF_SET", take_set},
                                                              {"TEFF_STATS", take_stats},
                                                              {"TEFF_WAIT", take_wait},
                                                              {"TEFF_WATCHDOG", take_watchdog}};
  for (const auto& [name, value] : teff_variables()) {
    if (const std::string unknown = complaint_about_variable(name); !unknown.empty()) say("%s", unknown.c_str());
    for (const auto& [read, understand] : own) {
      if (name != read || value.empty()) continue;
      const std::string wrong = understand(all, value);
      if (!wrong.empty()) say("the variable %s %s; it is ignored", name.c_str(), wrong.c_str());
    }
  }
  take_asked_settings(all);
}

}  // namespace TEFF_NAMESPACE::openmp
