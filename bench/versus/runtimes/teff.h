// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teff's default team, of so many workers, on the default pool unless TEFF_POOL names another one.
#pragma once

#include "../common/harness.h"

#include "teff/teff.hpp"

#include <cstdlib>

namespace versus {

inline std::vector<told_number> told_by(const teff::statistics& counted) {
  std::vector<told_number> told;
  for (const char* name : {"tasks_run", "puts", "in_place_runs", "tasks_stolen", "publications", "parks"})
    told.push_back({name, counted.value(name)});
  told.push_back({"peak_fibers", counted.peak_fibers});
  return told;
}

struct teff_runtime {
  static constexpr const char* runtime = "teff";
  /// join with the context of the calling task; join without; a task_group.
  static constexpr const char* forms[] = {"context", "join", "group"};

  explicit teff_runtime(const wishes& how) : form(how.form) {
    setenv("TEFF_NUM_THREADS", std::to_string(how.threads).c_str(), 1);
  }
  ~teff_runtime() { teff::default_team::end(); }
  std::vector<told_number> told() const { return told_by(teff::default_team::stats()); }

  const std::string form;
};

}  // namespace versus
