// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the runtime and Teff's stand-ins for other runtimes understand alike of the process' environment.
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE {

/// All variables that Teff reads. Some are read by the runtime alone.
inline constexpr std::string_view variable_names[] = {"TEFF_DISPLAY", "TEFF_MEMORY", "TEFF_NUM_THREADS",
                                                      "TEFF_POOL",    "TEFF_SEED",   "TEFF_SET",
                                                      "TEFF_STATS",   "TEFF_WAIT",   "TEFF_WATCHDOG"};

/// The values of TEFF_WAIT: who waits spins, spins for a while and then sleeps, or sleeps at once.
enum class wait_mode { latency, balanced, power };

/// Names and values of variables.
using variables = std::vector<std::pair<std::string, std::string>>;

/// Returns: the variables of this process whose names begin with TEFF_.
variables teff_variables();

/// Returns: an empty text, or a sentence if Teff reads no variable of that name.
std::string complaint_about_variable(std::string_view name);

// Each understands a value, if it can. Returns: an empty text, or the end of a sentence: what is wrong, and what is allowed.
/// Returns: the parts between commas; none of an empty text.
std::vector<std::string> take_list(std::string_view value);
std::string take_flag(bool& flag, const std::string& value);
std::string take_wait(wait_mode& mode, const std::string& value);
/// Of TEFF_WATCHDOG, as nanoseconds.
std::string take_watchdog(std::uint64_t& ns, const std::string& value);
/// `kind`: of what the names are, such as pool.
std::string take_name(std::string& target, const char* kind, const std::string& value, const std::vector<std::string>& names);

}  // namespace TEFF_NAMESPACE
