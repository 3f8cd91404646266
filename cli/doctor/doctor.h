// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace teff::cli {

/// teff doctor: what Teff sees on this machine, and what may hurt. Returns: success, with advice too.
exit_code examine_machine(const arguments& words, console& to);

}  // namespace teff::cli
