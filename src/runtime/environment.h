// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the default team is asked to be by the process' environment.
#pragma once

#include "base/variables.h"
#include "runtime/make_team.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::runtime {

/// A variable that the runtime reads.
struct variable {
  const char* name;
  const char* what;
  /// Effect: understands the value; the wishes are unchanged if it cannot. Returns: an empty text, or the end of a sentence: what
  ///   is wrong, and what is allowed.
  std::string (*understand)(struct wishes& of, const std::string& value);
};
std::span<const variable> known_variables();

/// What the default team is to be, and to say.
struct wishes {
  team_options team;
  bool stats = false;
  std::vector<std::string> asked_settings;  ///< by TEFF_SET, as they were written
};

/// Returns: what the variables ask for; where they cannot be understood, what is usual. Effect: adds a sentence to `complaints`
/// for each variable or value that does not exist.
wishes understand_environment(const variables& given, std::vector<std::string>& complaints);

}  // namespace TEFF_NAMESPACE::runtime
