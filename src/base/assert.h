// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdio>
#include <cstdlib>

namespace TEFF_NAMESPACE {

/// Prints what was violated and what to do about it, and ends the program: for bugs of the caller, never for exhausted resources.
[[noreturn]] inline void assertion_failed(const char* condition, const char* advice, const char* file, int line) {
  std::fprintf(stderr, "teff: %s:%d: '%s' does not hold: %s\n", file, line, condition, advice);
  std::abort();
}

}  // namespace TEFF_NAMESPACE

/// Checked in every build: for conditions off the hot path. The advice is a sentence that says what to do.
#define TEFF_REQUIRE(condition, advice) \
  ((condition) ? void(0) : ::teff::TEFF_PLATFORM::assertion_failed(#condition, advice, __FILE__, __LINE__))

/// Checked in debug builds and in simulation: for conditions on the hot path.
#if !defined(NDEBUG) || defined(TEFF_SIMULATED)
#define TEFF_ASSERT(condition, advice) TEFF_REQUIRE(condition, advice)
#else
#define TEFF_ASSERT(condition, advice) void(0)
#endif
