// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was measured: the records that tables, advice and JSON are made of. docs/json.md explains each field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teff::report {

struct counter {
  std::string name;
  std::uint64_t value = 0;
};

/// A number that a workload measured beside its time; docs of the workload say what it means.
struct metric {
  std::string name;
  std::string what;
  std::optional<double> value;
  std::string instead;  ///< of a value that there is not: why
};

/// A part of the workers' time: what each of them spent so.
struct account_part {
  std::string name;
  std::string what;
  std::vector<std::uint64_t> ns_by_worker;

  std::uint64_t total() const;
};

/// A lock, or a cache line, that one worker at a time has: what all share, and what may bound them.
struct resource {
  enum class kind { lock, line };
  std::string name;
  resource::kind what = kind::lock;
  std::uint64_t busy_ns = 0;    ///< of a lock: held; of a line: on its way from one processor to another
  std::uint64_t uses = 0;       ///< of a lock: how often it was taken; of a line: how often it went to another processor
  std::uint64_t waited_ns = 0;  ///< all workers' waits for it together
};

/// One pool with one memory manager on a number of workers.
struct record {
  std::string pool;
  std::string memory;
  unsigned workers = 0;  ///< that there really were
  unsigned workers_asked = 0;
  bool simulated = false;
  bool verified = true;  ///< every run and every serial run gave the right result
  bool ended = true;     ///< false: a run was given up, as nothing in it got on
  std::uint64_t tasks = 0;
  std::uint64_t seed = 0;
  std::optional<double> swept = std::nullopt;  ///< what the swept cost of the machine was
  std::vector<std::string> settings;           ///< "name=value"
  std::vector<double> seconds;                 ///< one per run
  std::vector<double> serial_seconds;          ///< of the serial program, one per run
  // Of the run whose time is the median (the lower one of two).
  std::vector<counter> counters;
  std::vector<std::uint64_t> tasks_by_worker;
  std::uint64_t peak_live_tasks = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t peak_fibers = 0;
  std::vector<metric> metrics = {};  ///< the same ones in all records of a set that have any
  // The time account (src/trace/README.md), of the same run: for each worker the parts add up to account_ns.
  std::uint64_t account_ns = 0;  ///< how long the run took, by the account's own clock; 0: there is no account
  std::vector<account_part> account = {};
  std::vector<resource> resources = {};  ///< the busiest first; lines in simulation only

  /// Returns: the share of workers × elapsed that a part has; nothing if there is no account, or no such part.
  std::optional<double> share(const std::string& part) const;
  /// Returns: nothing if there is no such counter.
  std::optional<std::uint64_t> value(const std::string& name) const;
};

struct machine {
  std::string processor;
  unsigned usable_processors = 0;
  std::vector<std::pair<std::string, double>> costs;  ///< of a simulated machine
  std::string name = {};                              ///< likewise
};

/// The same cases on the machine without one of its costs.
struct knock_out {
  std::string name;                ///< of the cost, in a few words
  std::string shown;               ///< what was set to what
  std::vector<std::string> parts;  ///< of the time account, that the cost is in
  std::vector<record> records;
};

struct record_set {
  std::string workload;
  std::string size;
  report::machine machine;
  std::string commit;
  std::vector<record> records;
  std::string sweep = {};  ///< the cost of the machine that differs between records; empty: none does
  std::vector<knock_out> knock_outs = {};
};

/// Returns: the middle sample, or the mean of the two in the middle. Pre: not empty.
double median(std::vector<double> samples);
/// Returns: the index of the (lower) middle sample. Pre: not empty.
std::size_t median_index(const std::vector<double>& samples);
/// Returns: the sample below which that fraction of them lies. Pre: not empty; 0 <= fraction <= 1.
double quantile(std::vector<double> samples, double fraction);
/// Returns: the middle half of the samples: the smallest and largest of them that are no outliers; of three samples all of them.
/// Pre: not empty.
std::pair<double, double> middle_half(std::vector<double> samples);
/// Returns: (largest − smallest) / median. Pre: not empty.
double spread(const std::vector<double>& samples);

/// Returns: nothing if a result was wrong, or nothing was measured.
std::optional<double> median_seconds(const record& of);
/// Returns: the median, also of wrong results. Pre: there is one.
inline double time_of(const record& of) { return median(of.seconds); }
/// A serial program that takes less does nothing but look at the clock twice: no ratio to it means anything.
inline constexpr double no_time_seconds = 100e-9;
/// Returns: the time of the serial program over that of the record; nothing if there is no such time.
std::optional<double> speedup(const record& of);

}  // namespace teff::report
