// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace teff::inline TEFF_PLATFORM::testing_openmp {

/// Of scenes.cpp's, those in which tasks hold locks, or wait for what other tasks bring about.
std::span<const scene> scenes_of_locks();

}  // namespace teff::inline TEFF_PLATFORM::testing_openmp
