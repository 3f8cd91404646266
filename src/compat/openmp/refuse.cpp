// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/refuse.h"

#include "base/utf8.h"
#include "compat/openmp/icv.h"
#include "platform/foreign.h"
#include "platform/line.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr int exit_unsupported = 70;

void say_all(const char* format, std::va_list arguments) {
  char sentence[512];
  const int needed = std::vsnprintf(sentence, sizeof sentence, format, arguments);
  std::string_view whole = sentence;
  // What was cut may have been cut inside a character: without its last byte the text ends before that one.
  if (needed >= static_cast<int>(sizeof sentence)) whole = begin_of(whole, whole.size() - 1);
  char line[sizeof sentence + 8];
  const int length = std::snprintf(line, sizeof line, "teff: %.*s\n", static_cast<int>(whole.size()), whole.data());
  platform::write_error(line, static_cast<std::size_t>(length));  // past stdio: another thread may have its lock
}

/// Other threads of the program may be anywhere: neither its destructors nor its exit handlers run, and no lock is waited for:
/// who reads from a terminal has that of its file. What the program has written to files other than its output may get lost.
[[noreturn]] void end_with(int code) {
  if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);
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

void say_with(std::string_view begin, std::string_view text) { platform::say({"teff: ", begin, text, "\n"}); }

void fail_with(std::string_view begin, std::string_view text) {
  say_with(begin, text);
  end_with(1);
}

void fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  say_all(format, arguments);
  va_end(arguments);
  end_with(1);
}

}  // namespace TEFF_NAMESPACE::openmp

extern "C" void teff_openmp_refuse(const char* name, const char* needs) {
  teff::openmp::process();  // a `teff run` around the program learns that the library was called
  teff::openmp::refuse("%s is not supported by this version of Teff's OpenMP: it needs %s", name, needs);
}
