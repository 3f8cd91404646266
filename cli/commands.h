// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cli/arguments.h"
#include "cli/engine.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace teff::cli {

/// teff list.
exit_code list_something(const arguments& words, engine::side& side, console& to);

/// teff run, compare, simulate.
exit_code run_something(const arguments& words, engine::side& side, console& to);

}  // namespace teff::cli
