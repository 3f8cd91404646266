// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Starting other programs. This folder knows the operating system here, in foreground.cpp and in system.cpp only.
#pragma once

#include "base/region_count.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct rusage;

namespace teff::cli::os {

/// A variable, and its value; without one the variable is taken away.
using variable = std::pair<std::string, std::optional<std::string>>;

/// A program and its arguments. `file` is what is run, `words` begins with its name.
struct command_line {
  std::string file;
  std::vector<std::string> words;
  std::vector<variable> environment;  ///< what differs from our own
};

/// How a program ended, and what it used.
struct ending {
  int error = 0;      ///< of starting it; then nothing else is known
  int exit_code = 0;  ///< if no signal ended it
  int signal = 0;
  double seconds = 0;
  double processor_seconds = 0;  ///< of all its threads and children
  std::uint64_t peak_bytes = 0;
  std::string output, errors;  ///< all that it wrote
};

/// A file that processes below this one add their regions to, and a segment of shared memory for those that cannot open it
/// (base/region_count.h): without /proc, in another name space of users or processes, or of another user. Neither outlives the
/// processes that use it. Both may tick. One of them is enough, but only the file has what processes leave at their ends.
class region_counter {
 public:
  region_counter();
  ~region_counter();
  region_counter(const region_counter&) = delete;
  region_counter& operator=(const region_counter&) = delete;

  /// Effect: a tick, for processes that are measured. Called every region_ticks::least_apart_ns, or never; first before there are
  /// such processes.
  void tick();

  /// Returns: 0, or the error for which there is neither of both.
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }  ///< the file's; -1: there is none
  /// Returns: what makes a program count here, and where those around this process count.
  variable entry() const;
  std::uint64_t regions() const { return sum_of(&region_count::regions); }
  /// Returns: how many processes have called the drop-in, as far as they can be counted.
  std::uint64_t callers() const { return sum_of(&region_count::callers); }
  /// Returns: what processes with TEFF_STATS=1 have left at their ends, of those that had a way to the file.
  std::string left() const;

 private:
  std::uint64_t sum_of(std::uint64_t region_count::* number) const;

  int descriptor_;
  int error_;
  int segment_ = -1;  ///< its number; -1: there is none
  region_count *in_segment_ = nullptr, *in_file_ = nullptr;  ///< nullptr: there is none; it was not mapped
  std::uint64_t ticks_ = 0, ticked_ns_ = 0;
};

/// Effect: takes over how a child ended and what it used.
void take_end(int status, const ::rusage& used, ending& into);

/// Effect: starts a child, which calls prepare() and then becomes the program, with the signals that this process was given.
/// Returns: its number; -1 and the error if it could not start: then there is no child.
long start(const command_line& program, const std::function<void()>& prepare, int& error);

/// Effect: runs the program to its end with empty standard input, and keeps what it writes.
ending run(const command_line& program);

/// Returns: the path of the program that this is; nothing if the system does not say.
std::string own_path();

/// Returns: the path of a file with that name that may be executed, looked for as a shell does; nothing if there is none.
std::optional<std::string> find_executable(const std::string& name);

enum class file_kind { missing, directory, not_executable, other_owner, plain };

/// Returns: what the file is. other_owner: it gets the rights of its owner or group when it starts.
file_kind kind_of(const std::string& path);

/// Returns: the value of a variable of the environment.
std::optional<std::string> variable_of(const std::string& name);

/// Returns: what the system says of an error.
std::string error_text(int number);

/// Returns: the name of a signal: "SIGSEGV".
std::string signal_name(int number);

}  // namespace teff::cli::os
