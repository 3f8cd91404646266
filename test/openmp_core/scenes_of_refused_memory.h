// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, those in which the system has no more memory.
std::span<const scene> scenes_of_refused_memory();

}  // namespace TEFF_NAMESPACE::testing_openmp
