// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cli/doctor/facts.h"
#include "report/fact.h"

#include <string>
#include <vector>

namespace teff::cli {

/// Returns: what is known, in the order in which people read it. What could not be found out says "unknown".
std::vector<report::fact> listing(const facts& of);

/// Returns: one line for each fact that people read, its group before the first one of each.
std::string text_of(const std::vector<report::fact>& facts);

}  // namespace teff::cli
