// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <span>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE {

/// Returns: "unknown <kind> '<name>'; did you mean '…'? allowed: a, b, c". The suggestion is left out if nothing is near.
std::string unknown_name_sentence(std::string_view kind, std::string_view name, std::span<const std::string> allowed);

}  // namespace TEFF_NAMESPACE
