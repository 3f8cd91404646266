// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands for programs of the user's own: what stands behind '--'.
#pragma once

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/output.h"

namespace teff::cli {

/// teff run -- PROG: runs the program on Teff, says if no region of it came to Teff, and ends as it did. Returns: only if it
/// cannot be started.
exit_code run_program(const arguments& words, const engine::side& side, console& to);

/// teff compare -- PROG: the stock runtime and several pools in turn.
exit_code compare_program(const arguments& words, const engine::side& side, console& to);

/// teff doctor PROG: what runs in parallel in it, and what will be in charge.
exit_code examine_program(const arguments& words, console& to);

}  // namespace teff::cli
