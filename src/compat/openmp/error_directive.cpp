// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for the error directive with at(execution).
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"

#include <algorithm>
#include <cstddef>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// For a format: a message need not end with a 0. A longer one is cut anyway.
int shown(std::size_t length) { return static_cast<int>(std::min<std::size_t>(length, 1 << 12)); }

}  // namespace

/// `message`: nullptr if the directive has none.
TEFF_ENTRY void GOMP_warning(const char* message, std::size_t length) {
  if (message == nullptr) return say("error directive encountered");
  say("error directive encountered: %.*s", shown(length), message);
}
TEFF_ENTRY void GOMP_error(const char* message, std::size_t length) {
  if (message == nullptr) fail("error directive encountered: the program ends");
  fail("error directive encountered: the program ends: %.*s", shown(length), message);
}

}  // namespace TEFF_NAMESPACE::openmp
