// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cli/doctor/facts.h"

#include <string>
#include <vector>

namespace teff::cli {

/// Returns: a sentence for each fact that costs speed or functions: what it is, what it does, what to do about it. Only what
/// was seen on this machine.
std::vector<std::string> advice(const facts& of);

}  // namespace teff::cli
