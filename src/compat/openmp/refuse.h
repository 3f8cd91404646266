// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the drop-in says what it cannot do.
#pragma once

#include "base/namespace.h"

#include <string_view>

/// Effect: says on standard error that the function `name` needs what Teff does not have, and ends the program with exit code 70.
extern "C" [[noreturn]] void teff_openmp_refuse(const char* name, const char* needs);

namespace TEFF_NAMESPACE::openmp {

/// Effect: says one sentence on standard error, of which what is beyond some 500 bytes is cut.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);
/// Effect: as say, then ends the program with exit code 70.
[[noreturn, gnu::format(printf, 1, 2)]] void refuse(const char* format, ...);
/// Effect: says a sentence in libgomp's stead that the program asked for an impossible thing, and ends it with exit code 1.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);
/// The same of a text of the program's behind the begin of a sentence: of any length, and without memory for it.
void say_with(std::string_view begin, std::string_view text);
[[noreturn]] void fail_with(std::string_view begin, std::string_view text);

}  // namespace TEFF_NAMESPACE::openmp
