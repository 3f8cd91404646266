// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a file that users want to run is, as far as its first bytes say it.
#pragma once

#include <string>

namespace teff::cli {

struct binary {
  enum class kind {
    unreadable,
    script,   ///< begins with #!
    unknown,  ///< no ELF program
    foreign,  ///< of another architecture
    fixed,    ///< statically linked: loads nothing
    dynamic,  ///< loads libraries when it starts
  };
  kind is = kind::unreadable;
  std::string architecture;  ///< of a foreign one: its name, or its number
  std::string loader;        ///< of a dynamic one: the program that loads it
};

/// Effect: reads the file's headers.
binary read_binary(const std::string& path);

}  // namespace teff::cli
