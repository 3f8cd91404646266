// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, those in which somebody cancels what others are in.
std::span<const scene> scenes_of_cancellation();

}  // namespace TEFF_NAMESPACE::testing_openmp
