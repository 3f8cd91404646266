// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/refuse.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace teff::inline TEFF_PLATFORM::openmp {

namespace {

constexpr int exit_unsupported = 70;

void say_all(const char* format, std::va_list arguments) {
  char sentence[512];
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  std::fprintf(stderr, "teff: %s\n", sentence);
}

/// Other threads of the program may be anywhere: neither its destructors nor its exit handlers run.
[[noreturn]] void end_with(int code) {
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace

void say(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
}

void refuse(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
  end_with(exit_unsupported);
}

void fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
  end_with(1);
}

}  // namespace teff::inline TEFF_PLATFORM::openmp

extern "C" void teff_openmp_refuse(const char* name, const char* needs) {
  teff::openmp::refuse("%s is not supported by this version of Teff's OpenMP: it needs %s", name, needs);
}
