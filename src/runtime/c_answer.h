// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/ends.h"
#include "teff/teff.h"

#include <new>
#include <type_traits>

namespace TEFF_NAMESPACE::runtime {

/// Effect: calls the operation. Returns: what it answers, or TEFF_OK if that is nothing; TEFF_NO_MEMORY or TEFF_EXCEPTION if something
/// escaped. No exception passes the border to C.
template <class Operation>
teff_status answered(Operation operation) noexcept {
  try {
    if constexpr (std::is_void_v<decltype(operation())>) {
      operation();
      return TEFF_OK;
    } else {
      return operation();
    }
  } catch (const std::bad_alloc&) {
    return TEFF_NO_MEMORY;
  } catch (...) {
    platform::caught_exception();
    return TEFF_EXCEPTION;
  }
}

}  // namespace TEFF_NAMESPACE::runtime
