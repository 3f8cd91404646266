// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is to be measured: the words of the command line, understood.
#pragma once

#include "cli/arguments.h"
#include "cli/engine.h"
#include "cli/sweep.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// One line of the table to come.
struct case_plan {
  std::string pool, memory;
  unsigned workers;
  std::vector<std::string> settings;

  /// Returns: the request of a run. What the pool draws varies with the machine.
  engine::team_request request(std::uint64_t seed, std::uint64_t variation = 0) const {
    return {pool.c_str(), memory.c_str(), workers, &settings, variation != 0 ? variation : seed, variation};
  }
};

struct plan {
  std::string size, input, format;
  std::uint64_t seed = 1;
  unsigned repeats = 1;
  std::vector<case_plan> cases;
  std::optional<sweep_plan> sweep;

  /// Returns: what draws how the machine of that round, the first of which is 1, differs from its description: the same for all
  /// cases and the serial program, as a real machine's state is. The first round is of the machine as it is described.
  std::uint64_t variation_of(unsigned round) const;
};

/// Returns: an empty text and the plan, or a sentence. Names and settings are checked when a team is made of them.
std::string make_plan(const arguments& words, const engine::side& side, plan& made);

/// Returns: the name in "name=value".
std::string setting_name(const std::string& text);

/// Effect: gives each of them the settings of which `has(it, name)` holds. One that nobody has goes to all, so that it is refused
/// where they are checked.
template <class Some, class Has>
void share_settings(const std::vector<std::string>& settings, std::vector<Some>& among, const Has& has) {
  for (const std::string& each : settings) {
    const auto has_it = [&](const Some& some) { return has(some, setting_name(each)); };
    const bool nobody = std::none_of(among.begin(), among.end(), has_it);
    for (Some& some : among) {
      if (nobody || has_it(some)) some.settings.push_back(each);
    }
  }
}

/// Returns: the column `name` of such a table.
std::vector<std::string> names_in(const engine::side& side, engine::list_kind what, const char* of = "");

}  // namespace teff::cli
