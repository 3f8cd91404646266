// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

/// Lets std::optional hold what a function returns without moving it.
template <class Maker>
struct built_in_place {
  Maker make;
  operator std::invoke_result_t<Maker>() const { return make(); }
};

}  // namespace TEFF_NAMESPACE
