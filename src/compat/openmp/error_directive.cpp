// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for the error directive with at(execution).
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// A message ends at its length, or before that with a 0: gcc passes the largest length if it does not know it.
std::string_view text_of(const char* message, std::size_t length) { return {message, strnlen(message, length)}; }

}  // namespace

/// `message`: nullptr if the directive has none.
TEFF_ENTRY void GOMP_warning(const char* message, std::size_t length) {
  if (message == nullptr) return say("error directive encountered");
  say_with("error directive encountered: ", text_of(message, length));
}
TEFF_ENTRY void GOMP_error(const char* message, std::size_t length) {
  if (message == nullptr) fail("error directive encountered: the program ends");
  fail_with("error directive encountered: the program ends: ", text_of(message, length));
}

}  // namespace TEFF_NAMESPACE::openmp
