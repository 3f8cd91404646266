// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program of the user's with Teff's libgomp.so.1 in front of the stock one.
#pragma once

#include "cli/process.h"
#include "cli/program/libraries.h"

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// A program that can be run, and what it loads.
struct target {
  std::string path;
  std::vector<std::string> words;  ///< with its name
  enum class contents { known, script, unreadable };
  contents is = contents::known;  ///< if not, what it loads is not
  std::string loader;
  std::vector<parallel_runtime> stock, with_teff;  ///< what runs in parallel in it, by itself and with Teff in front
  std::string wrong;                               ///< why it will not start, as its loader says

  /// Whether it loads gcc's OpenMP when it starts, by whatever name, and Teff's comes before that.
  bool teff_is_in_charge() const;
};

/// What the user asks of a run.
struct run_wishes {
  std::string pool;                    ///< empty: the default
  std::optional<std::string> workers;  ///< threads of a team
  bool stats = false;
  std::vector<std::string> settings;  ///< "name=value" each; they come before those of TEFF_SET
  bool only_these = false;            ///< TEFF_SET's others are left out
};

/// Returns: what TEFF_SET says in our environment, "name=value" each.
std::vector<std::string> settings_of_environment();

/// Effect: finds the program and looks at it. Returns: an empty text, or why it cannot be run on Teff. Without
/// the library that Teff puts in front, with_teff is as stock.
std::string find_target(const std::vector<std::string>& words, target& found);

/// Returns: what differs from our environment when the program runs on Teff, or on the stock library.
std::vector<os::variable> environment_with_teff(const run_wishes& wishes);
std::vector<os::variable> environment_without(const std::optional<std::string>& workers);

/// Returns: a sentence for a program that runs on a runtime that Teff does not stand for; empty if it does not.
std::string remark_on(const target& of);

/// Returns: what a run is told that has ended without a region that was counted: a sentence with the reason, as far as it is
/// known. `callers`: how many processes called Teff's library and would have been counted. Without one, somebody may have
/// opened regions who had no way to the counter, as in a container.
std::string remark_on_unserved(const target& of, std::uint64_t callers);

/// Returns: what was wrong with a run; an empty text if it ended well.
std::string failure_of(const os::ending& how);

/// Returns: a sentence if there is no library that could be put in front.
std::string refuse_without_drop_in();

/// Returns: the folder of Teff's libgomp.so.1; empty if it was not built or installed.
std::string drop_in_folder();

}  // namespace teff::cli
