// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

namespace TEFF_NAMESPACE::testing_openmp {

std::span<const scene> scenes_of_calls();

}  // namespace TEFF_NAMESPACE::testing_openmp
