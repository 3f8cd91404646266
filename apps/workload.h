// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the command line, the tests and the benchmarks know of a workload: how to size it, run it, and tell whether its result
/// is right.
#pragma once

#include "teff/teff.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// A named size, and what it stands for.
struct named_size {
  const char* name;
  const char* text;  ///< "key=value,…"
};

/// One line of the list of workloads.
struct workload_line {
  const char* name;
  const char* what;
  const char* source;  ///< paper, section
  const char* keys;    ///< keys of a size and their allowed values
};

/// A number that a workload measures beside its time.
struct metric {
  const char* name;
  const char* what;
  std::optional<double> value;
  const char* instead;  ///< of a value that there is not: why
};

/// Takes bytes of a result, in order. Returns: false if they could not be kept; then no more are offered.
class sink {
 public:
  virtual ~sink() = default;
  virtual bool write(const char* bytes, std::size_t count) = 0;
};

/// A program with a serial version, which is its oracle and its baseline, and a version in tasks.
///
/// Use: choose_size or read_input, then any number of times prepare, serial or tasks, verify.
/// Functions that return std::string return an empty one, or a sentence that says what was wrong.
/// Threads: one at a time, apart from the tasks themselves.
class workload {
 public:
  virtual ~workload() = default;

  /// `text` is a named size or "key=value,…"; keys that are not named keep the values of size small.
  virtual std::string choose_size(const std::string& text) = 0;
  /// Returns: all keys and values: choose_size of it gives this size again.
  virtual std::string size() const = 0;
  virtual bool reads_input() const { return false; }
  /// Effect: takes the input from a file instead of making it. `format` is empty (by the file's name) or a name.
  /// Pre: reads_input.
  virtual std::string read_input([[maybe_unused]] const std::string& path, [[maybe_unused]] const std::string& format) {
    return "there is no input to read";
  }

  /// Returns: an empty text, or why it cannot run on so many workers.
  virtual std::string refuses([[maybe_unused]] unsigned workers) const { return {}; }

  /// Effect: makes the input (once) and clears what the last run left. `workers` is the most that will take part.
  virtual void prepare(std::uint64_t seed, unsigned workers) = 0;
  /// Effect: the calling thread says that it has written what prepare made: in simulation, before a run, so that it is at home
  /// beside that thread, whose caches have the end of it. Natively nothing.
  virtual void touch_input() {}
  /// Pre: prepared.
  virtual void serial() = 0;
  /// Effect: init and run. Pre: prepared for at least that many workers.
  virtual void tasks(team& workers) = 0;
  /// Whether the last run gave the right result.
  virtual std::string verify() const = 0;
  /// Returns: tasks that the last run executed (the same number for the serial version: calls that tasks would have been).
  virtual std::uint64_t tasks_run() const = 0;
  /// What the last run on a team measured, in a fixed order. Pre: it was verified.
  virtual std::vector<metric> metrics() const { return {}; }

  /// Whether there is a result that somebody may want to keep.
  virtual bool has_result() const { return false; }
  /// Effect: writes the result of the last run. `format` and `path` as in read_input. Pre: has_result.
  virtual std::string write_result([[maybe_unused]] sink& to, [[maybe_unused]] const std::string& path,
                                   [[maybe_unused]] const std::string& format) const {
    return "there is no result to write";
  }
};

/// Returns: the workloads, in a fixed order.
std::vector<workload_line> list_workloads();
/// Returns: its named sizes; empty for an unknown name.
std::vector<named_size> list_sizes(const std::string& name);
/// Returns: the sentence that refuses an input file for that workload, and names those that read one.
std::string refuse_input(const std::string& name);
/// Returns: nullptr for an unknown name.
std::unique_ptr<workload> make_workload(const std::string& name);

}  // namespace TEFF_NAMESPACE::apps
