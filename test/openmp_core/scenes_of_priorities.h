// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, those with detached tasks.
std::span<const scene> scenes_of_priorities();

}  // namespace TEFF_NAMESPACE::testing_openmp
