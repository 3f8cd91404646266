// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Found before src/fiber/rules.h by the mutant that is built with it: a fiber that goes on believes to be on its old worker.
#pragma once

namespace teff::inline TEFF_PLATFORM::fibers {

struct rules {
  static constexpr bool tells_context = false;
};

}  // namespace teff::inline TEFF_PLATFORM::fibers
