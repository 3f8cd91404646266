// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is to be measured: the words of the command line, understood.
#pragma once

#include "cli/arguments.h"
#include "cli/engine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace teff::cli {

/// One line of the table to come.
struct case_plan {
  std::string pool, memory;
  unsigned workers;
  std::vector<std::string> settings;

  engine::team_request request(std::uint64_t seed) const { return {pool.c_str(), memory.c_str(), workers, &settings, seed}; }
};

struct plan {
  std::string size, input, format;
  std::uint64_t seed = 1;
  unsigned repeats = 1;
  std::vector<case_plan> cases;
};

/// Returns: an empty text and the plan, or a sentence. Names and settings are checked when a team is made of them.
std::string make_plan(const arguments& words, const engine::side& side, plan& made);

/// Returns: the column `name` of such a table.
std::vector<std::string> names_in(const engine::side& side, engine::list_kind what, const char* of = "");

}  // namespace teff::cli
