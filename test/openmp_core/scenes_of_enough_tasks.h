// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, those in which a new task runs at once or does not, by how many others there are.
std::span<const scene> scenes_of_enough_tasks();

}  // namespace TEFF_NAMESPACE::testing_openmp
