// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The options of run and compare that make sense for a program.
#pragma once

#include "cli/arguments.h"
#include "cli/engine.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct program_wishes {
  std::vector<std::string> pools;      ///< run: one, or none for the default
  std::optional<std::string> workers;  ///< threads of a team, if it was said
  unsigned repeats = 1;
};

/// Returns: an empty text, or a sentence about an option.
std::string understand(const arguments& words, const engine::side& side, program_wishes& made);

}  // namespace teff::cli
