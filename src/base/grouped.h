// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace TEFF_NAMESPACE {

/// Returns: the number with a comma before every three digits. (In src/report, which has no side, the namespace bears the macro's
/// name.)
inline std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t left = digits.size(); left > 3; left -= 3) digits.insert(left - 3, 1, ',');
  return digits;
}

}  // namespace TEFF_NAMESPACE
