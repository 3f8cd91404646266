// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

namespace teff::cli {

/// How this binary was made.
struct build_facts {
  std::string version, commit, compiler;
  std::string type;  ///< CMake's name of it; empty if it has none
  bool optimised = true;
  bool assertions = false;
  std::string sanitizers;                        ///< as given to -fsanitize=; empty: none
  std::map<std::string, std::string> libraries;  ///< versions by name
};

build_facts describe_build();

}  // namespace teff::cli
