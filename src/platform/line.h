// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/utf8.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace TEFF_NAMESPACE::platform {

/// A text put together without memory from anywhere, as in a signal handler; from the first character on that does not fit all is
/// left out.
class line {
 public:
  void add(std::string_view text) noexcept {
    const std::string_view fitting = full_ ? std::string_view() : begin_of(text, text_.size() - used_);
    for (const char each : fitting) text_[used_++] = each;
    full_ = full_ || fitting.size() < text.size();
  }
  void add(std::uint64_t number, unsigned base = 10) noexcept {
    char digits[20];
    std::size_t first = sizeof digits;
    do digits[--first] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    add({digits + first, sizeof digits - first});
  }
  std::string_view text() const noexcept { return {text_.data(), used_}; }

 private:
  std::array<char, 1000> text_;
  std::size_t used_ = 0;
  bool full_ = false;
};

/// Effect: writes the text to standard error. Allowed in signal handlers.
void say(std::string_view text) noexcept;
/// Effect: likewise, of four parts at most, in one write if the system takes them so: nothing has to be put together.
void say(std::initializer_list<std::string_view> parts) noexcept;

/// Effect: adds where a program's code lies: its symbol if the module exports one (mangled), and "module+0x12ab", which
/// addr2line understands. In a signal handler: it asks the dynamic loader, which takes a lock; if the fault struck while the same
/// thread was loading or unloading a library, it waits for ever.
void add_code(line& to, const void* code) noexcept;

}  // namespace TEFF_NAMESPACE::platform
