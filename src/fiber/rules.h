// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::fibers {

/// Steps that tests leave out, with a file of this name of their own, to show that they are needed and would be missed.
struct rules {
  /// A fiber that goes on is told which worker runs it now.
  static constexpr bool tells_context = true;
};

}  // namespace TEFF_NAMESPACE::fibers
