// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cases of calibration. Compiled twice: what is timed natively is what runs in the simulator.
#pragma once

#include "cli/calibrate/laboratory.h"
#include "platform/platform.h"

#include <optional>

namespace TEFF_NAMESPACE::cli {

/// Returns: nanoseconds for one operation of the case; nothing if the system does not have it.
/// Errors: usage_error if threads or memory are refused. Pre: not trial::cycle.
std::optional<double> run_case(engine::trial which, unsigned first_place, unsigned second_place);

/// Returns: elapsed nanoseconds for one task of the synthetic workload.
/// Errors: usage_error for what does not exist; std::runtime_error if the result is wrong.
double run_tasks(const engine::tasks_request& wanted);

/// Returns: in which parts processors are near one another, and a pair for each.
engine::machine_parts parts_of(const platform::topology& machine);

}  // namespace TEFF_NAMESPACE::cli
