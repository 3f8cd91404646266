// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Found before src/fiber/rules.h by the mutant that is built with it: a fiber that goes on believes to be on its old worker.
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::fibers {

struct rules {
  static constexpr bool tells_context = false;
};

}  // namespace TEFF_NAMESPACE::fibers
