// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <string>

namespace TEFF_NAMESPACE {

/// A lock or cache line that one worker at a time has, and what came together of it: in ns, or in the clock's own units.
struct shared_resource {
  std::string name;
  bool is_line;
  std::uint64_t busy;    ///< held; of a line: on its way from one processor to another
  std::uint64_t uses;    ///< how often it was taken; of a line: how often it went to another processor
  std::uint64_t waited;  ///< by all together
};

}  // namespace TEFF_NAMESPACE
