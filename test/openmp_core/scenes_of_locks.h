// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, those in which tasks hold locks, or wait for what other tasks bring about.
std::span<const scene> scenes_of_locks();

}  // namespace TEFF_NAMESPACE::testing_openmp
