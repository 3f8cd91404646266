// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the command line needs of the operating system beyond files: terminals, signals, limits, hardware counters. With
/// process.cpp and foreground.cpp, the only files of the folder that know it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli::os {

/// Effect: closed standard streams become ones that refuse writes (else the next file opened would take their place); a broken
/// pipe becomes an error of the write; an interrupt ends the program with a sentence and exit code 128 + signal, and removes
/// the files that are unfinished.
void prepare_process();

/// Effect: as there is something to tell by now, the next SIGINT is only noted, with a sentence; the one behind it ends the
/// program.
void note_next_interrupt();
/// Returns: whether one was noted: who measures goes on to tell what was finished.
bool is_interrupted();

/// Effect: undoes what prepare_process did, for a program that takes the place of this one.
void give_back_streams();
void give_back_signals();

bool is_terminal(int descriptor);

/// Returns: a number that no other process has now.
long process_number();

/// Returns: whether the file may be written by this process, or does not exist.
bool may_write(const std::string& path);

/// Returns: whether standard output or standard error goes to the file of that name. The null device is nobody's.
bool is_standard_stream(const std::string& path);

/// Returns: year, month and day where the user is, as "2026-01-31".
std::string date_today();

/// Returns: the kernel's release; empty if it does not say.
std::string kernel_release();

enum class resource { user_threads, stack_bytes };

/// Returns: the soft limit; nothing if there is none. (The kernel does not hold the superuser to that of threads.)
std::optional<std::uint64_t> limit_of(resource what);

enum class processor_event { cycles, cache_misses };

/// Whether an event can be counted, or why not: the kernel or a sandbox refuses, the processor has no such counter (or the
/// hypervisor does not pass it on), the kernel was built without, the counter is never given to us, or another error.
enum class counting { works, forbidden, no_counter, no_support, busy, failed };

/// Effect: opens a counter for this thread, works for a moment, and reads it.
counting try_counter(processor_event event);

/// Returns: name and value of the environment variables whose names begin so, sorted.
std::vector<std::pair<std::string, std::string>> environment_variables(const std::string& beginning);

/// A file that is removed if the program is interrupted. At most four at a time; longer paths than 4,095 bytes are left out.
class unfinished_file {
 public:
  explicit unfinished_file(const std::string& path);
  ~unfinished_file();
  unfinished_file(const unfinished_file&) = delete;
  unfinished_file& operator=(const unfinished_file&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace teff::cli::os
