// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What came out of running one program of the user's, on one pool or on several runtimes.
#pragma once

#include "report/sites.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace teff::report {

/// How what a program printed compares with what it printed on the stock runtime. varies: it is never the same there either;
/// unknown: nobody looked.
enum class sameness { same, differs, varies, unknown };

inline constexpr const char* stock_runtime = "libgomp";

/// One runtime: the stock one, or a pool of Teff.
struct program_record {
  std::string runtime;                             ///< stock_runtime, or the pool's name
  std::vector<std::string> settings;               ///< of the pool, "name=value"
  unsigned threads = 0;                            ///< of a team, if several numbers are compared, or one run has it; else 0
  std::vector<double> seconds, processor_seconds;  ///< one per run
  std::uint64_t peak_bytes = 0;                    ///< the largest; 0: not known
  std::string failure;                             ///< how a run ended that did not end well: "signal SIGSEGV"; empty: none did
  sameness output = sameness::same;
  std::map<std::string, std::string> statistics;  ///< what Teff counted, in a run of its own that is not timed
  program_sites sites;                            ///< the same by place
};

/// Several runtimes, or one pool in one run.
struct program_comparison {
  std::vector<std::string> command;
  unsigned usable_processors = 0;
  std::string commit;
  std::vector<program_record> records;  ///< of each number of threads the stock runtime's first, if there is one
};

/// Returns: the stock runtime's record for as many threads. Pre: there is one.
const program_record& stock_beside(const program_comparison& of, const program_record& some);
/// Returns: how many times as fast as on the stock runtime with as many threads; nothing if either failed, or that did not run.
std::optional<double> speedup_over_stock(const program_comparison& of, const program_record& some);

/// Returns: one line per runtime. processors: how many were busy, in the mean.
std::string table(const program_comparison& of);

/// Returns: which pools had which settings; empty: none had any.
std::string settings_line(const program_comparison& of);

/// Returns: which runtime is best and why, a sentence each; what differs; what failed. A claim names the figure that it rests on;
/// differences within 15 % are ties. Of a run without the stock runtime: what failed, and what holds the program back.
std::vector<std::string> advice(const program_comparison& of);

/// Returns: the object that docs/program-comparison.schema.json describes, with a newline at its end.
std::string json(const program_comparison& of);

}  // namespace teff::report
