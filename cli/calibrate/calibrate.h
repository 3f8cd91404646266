// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cli/arguments.h"
#include "cli/calibrate/fit.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

#include <string>

namespace teff::cli {

/// teff calibrate. `measured` is the machine at hand, or one that stands in for it.
exit_code calibrate(const arguments& words, engine::laboratory& measured, engine::model& model, console& to);

/// Returns: the cases as a table: first those that numbers were chosen by, then those that show how good the machine is.
std::string table_of(const calibration& of);
/// Returns: the sentences below it, a line each.
std::string remarks_on(const calibration& of);

}  // namespace teff::cli
