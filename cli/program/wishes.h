// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The options of run and compare that make sense for a program.
#pragma once

#include "cli/arguments.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/program/launch.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// A pool that the program is to run on.
struct pool_wish {
  std::string name;  ///< empty: what the environment says, or the default
  std::vector<std::string> settings;
};

struct program_wishes {
  std::vector<pool_wish> pools;        ///< run: one
  std::string unnamed;                 ///< the pool of a wish that names none
  std::optional<std::string> workers;  ///< threads of a team, if one number was said
  std::vector<std::string> threads;    ///< compare: several numbers, if they were said; then `workers` is none
  unsigned repeats = 1;
  std::vector<std::string> remarks;  ///< what of the environment does not hold, and why
};

/// Effect: understands the options, finds the program, and says what may surprise. Returns: an empty text, or why the program
/// cannot be run so.
std::string prepare(const arguments& words, const engine::side& side, console& to, program_wishes& wishes, target& found);

}  // namespace teff::cli
