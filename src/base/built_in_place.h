// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

namespace teff::inline TEFF_PLATFORM {

/// Lets std::optional hold what a function returns without moving it.
template <class Maker>
struct built_in_place {
  Maker make;
  operator std::invoke_result_t<Maker>() const { return make(); }
};

}  // namespace teff::inline TEFF_PLATFORM
