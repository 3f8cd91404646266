// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

/// Of scenes.cpp's, dynamic loops whose chunks members take several at once, and others from them; and doacross loops.
std::span<const scene> scenes_of_loops();

}  // namespace TEFF_NAMESPACE::testing_openmp
