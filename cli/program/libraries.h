// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which libraries a program loads when it starts, and what those are that run things in parallel.
#pragma once

#include "cli/process.h"

#include <string>
#include <vector>

namespace teff::cli {

/// A library that the loader would load, in its order.
struct library {
  std::string name;  ///< that was asked for: libgomp.so.1
  std::string path;
};

/// What the loader says.
struct library_list {
  std::vector<library> libraries;
  std::string wrong;       ///< why the program will not start; then the list is empty
  std::string complaints;  ///< what it says of those that it lists, in lines
};

/// Returns: the version of the library in that folder that the program, or a library of it, needs and which that does not have;
/// empty if the loader misses none.
std::string missing_version(const library_list& of, const std::string& folder);

/// Effect: asks the program's own loader, which runs nothing of the program. `environment` is what differs from ours.
library_list libraries_of(const std::string& program, const std::string& loader, const std::vector<os::variable>& environment);

enum class runtime_kind { openmp, tbb, blas };

/// A library that runs things in parallel.
struct parallel_runtime {
  runtime_kind kind;
  std::string what;  ///< in words: "gcc's OpenMP"
  library from;
};

/// Whether it is gcc's OpenMP, or stands for it.
bool is_like_gcc(const parallel_runtime& of);

/// Returns: those among the libraries, in the loader's order. `drop_in` is the folder of Teff's libgomp.so.1.
std::vector<parallel_runtime> runtimes_in(const std::vector<library>& libraries, const std::string& drop_in);

constexpr const char* gomp_name = "libgomp.so.1";
constexpr const char* teff_words = "Teff's stand-in for gcc's OpenMP";
constexpr const char* gcc_words = "gcc's OpenMP";

}  // namespace teff::cli
