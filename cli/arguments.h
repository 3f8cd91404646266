// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The words of the command line, before anything is known about them but their place.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

/// What `run` takes if nothing else is said; the memory manager also of the others. As team_options has them.
inline constexpr const char* standard_pool = "teff";
inline constexpr const char* standard_memory = "clf";

enum class command { none, list, run, compare, simulate, calibrate, doctor };

struct arguments {
  command which = command::none;
  std::string subject;  ///< the workload, what to list, or the program to examine
  /// What stands behind '--' after run and compare: a program and its arguments. Nothing: there was no '--'.
  std::vector<std::string> program;
  bool has_program = false;
  // Not given: nothing.
  std::optional<std::string> pools, memories, workers, threads, size, repeat, seed, json_file, html_file, input, output, format,
      list_pool, list_memory, sweep;
  std::vector<std::string> settings, machine;
  bool stats = false;
  bool account = false;
  bool whole_table = false;
  bool list_as_json = false;
  bool list_as_markdown = false;
  bool doctor_as_json = false;
  bool quick = false;
  bool why = false;

  std::string text;                   ///< to print instead of anything else: help, version
  std::string wrong;                  ///< a sentence, if the words make no sense
  std::string unknown_kind, unknown;  ///< a word that is not known: "command" or "option", and the word
  std::vector<std::string> allowed;   ///< instead of it
};

arguments parse_arguments(int count, const char* const* words);

/// Returns: what `teff` is, in less than 20 lines.
std::string introduction();

/// Returns: the version of the library that parses command lines.
std::string arguments_version();

}  // namespace teff::cli
