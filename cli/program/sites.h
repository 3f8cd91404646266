// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What processes leave that count by place (src/compat/openmp/SITES.md).
#pragma once

#include "report/sites.h"

#include <string>

namespace teff::cli {

/// Returns: what they have counted, added up, by the places' names. `left`: one text after the other.
report::program_sites sites_in(const std::string& left);

}  // namespace teff::cli
