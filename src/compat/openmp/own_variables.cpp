// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teff's own variables, for OpenMP.
#include "compat/openmp/environment.h"

#include "base/variables.h"
#include "compat/openmp/refuse.h"
#include "pool/catalogue.h"

namespace teff::inline TEFF_PLATFORM::openmp {

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

}  // namespace

void read_own_variables(process_icvs& all) {
  using take = std::string (*)(process_icvs&, const std::string&);
  static constexpr std::pair<std::string_view, take> own[] = {
      {"TEFF_POOL", take_pool}, {"TEFF_STATS", take_stats}, {"TEFF_WAIT", take_wait}};
  for (const auto& [name, value] : teff_variables()) {
    if (const std::string unknown = complaint_about_variable(name); !unknown.empty()) say("%s", unknown.c_str());
    for (const auto& [read, understand] : own) {
      if (name != read || value.empty()) continue;
      const std::string wrong = understand(all, value);
      if (!wrong.empty()) say("the variable %s %s; it is ignored", name.c_str(), wrong.c_str());
    }
  }
}

}  // namespace teff::inline TEFF_PLATFORM::openmp
