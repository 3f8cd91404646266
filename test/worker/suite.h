// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every pool must do for a team: scenarios over any type that meets the concept. A problem is a sentence.
#pragma once

#include "subject.h"

#include <string>

namespace TEFF_NAMESPACE::conformance {

/// Returns: what is wrong with the pool, and the scenario that found it; or nothing.
std::string run_suite(const trial& of, const plan& how);

}  // namespace TEFF_NAMESPACE::conformance
