// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long who waits spins.
#pragma once

#include "compat/openmp/icv.h"
#include "platform/platform.h"

namespace teff::inline TEFF_PLATFORM::openmp {

/// Returns: the rounds that a member of a team of `size` spins before it sleeps.
unsigned spin_rounds(unsigned size);

}  // namespace teff::inline TEFF_PLATFORM::openmp
