// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What was measured, and what there is to choose from.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "base/namespace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE {

/// One counter of a team: the sum over its workers.
struct counter_value {
  const char* name;
  const char* what;
  std::uint64_t value;
};

/// One part of the time account: what each worker spent so (docs/glossary.md, *time account*).
struct time_part {
  const char* name;
  const char* what;
  std::vector<std::uint64_t> ns_by_worker;
};

/// A lock or, in simulation, a cache line that one worker at a time has.
struct resource_use {
  std::string name;
  bool is_line;
  std::uint64_t busy_ns;    ///< held (0 of several locks told together); of a line: on its way from one processor to another
  std::uint64_t uses;       ///< how often it was taken; of a line: how often it went to another processor
  std::uint64_t waited_ns;  ///< by all workers together
};

struct statistics {
  std::vector<counter_value> counters;         ///< every counter, in a fixed order
  std::vector<std::uint64_t> tasks_by_worker;  ///< tasks executed by each worker
  std::uint64_t peak_live_tasks = 0;           ///< most tasks that waited at once (sum of each queue's own peak: an upper bound)
  std::uint64_t peak_bytes = 0;                ///< most bytes that the memory manager held at once
  std::uint64_t peak_fibers = 0;               ///< most fibers, and so stacks, that existed at once, one for each worker included

  /// The time account since the last reset, in a fixed order: each worker's parts add up to account_ns. Natively what tasks cost
  /// beside their functions is an estimate.
  std::vector<time_part> account = {};
  std::uint64_t account_ns = 0;
  std::vector<resource_use> resources = {};  ///< the busiest first

  /// Returns: what all workers together spent so, in ns. Errors: usage_error if there is no such part.
  std::uint64_t spent(const char* part) const;
  /// Returns: the counter of that name. Errors: usage_error if there is none.
  std::uint64_t value(const char* name) const;
};

/// One name of the catalogue.
struct catalogue_line {
  const char* name;
  const char* what;    ///< one line
  const char* source;  ///< paper, table
};

/// A pool of the catalogue.
struct pool_line : catalogue_line {
  /// What a task that waits takes in memory, as peak_bytes counts it, with the default memory manager, its closure of up to 64
  /// bytes included. From some thousand tasks on; where an array holds them, when it is full.
  unsigned waiting_task_bytes;
};

/// One setting of a pool or memory manager.
struct setting_line {
  const char* name;
  const char* values;    ///< allowed values
  std::string standard;  ///< value if not set
  const char* what;
};

namespace workers {
class team_base;
}
namespace detail {
statistics statistics_of(const workers::team_base& of, std::uint64_t now);
}

std::vector<pool_line> list_pools();
std::vector<catalogue_line> list_managers();
/// Returns: the settings that a pool has. Errors: usage_error for an unknown pool.
std::vector<setting_line> list_settings(const std::string& pool);
/// Returns: the settings that an OpenMP program has on that pool, by TEFF_SET. Errors: likewise.
std::vector<setting_line> list_program_settings(const std::string& pool);
/// Returns: an empty text if an OpenMP program may have these, "name=value" each, on that pool; else a sentence that says which
/// is wrong, and what is allowed. `threads`: of a team; 0: not known. Errors: likewise.
std::string wrong_program_settings(const std::string& pool, const std::vector<std::string>& settings, unsigned threads);
/// Returns: the settings that a memory manager has. Errors: usage_error for an unknown manager.
std::vector<setting_line> list_manager_settings(const std::string& memory);

/// A variable of the environment that Teff reads.
struct variable_line {
  const char* name;
  const char* what;  ///< one line
};
std::vector<variable_line> list_variables();
/// Returns: an empty text if that variable may have that value; else a sentence that names both, and what is allowed.
std::string wrong_variable(const std::string& name, const std::string& value);

/// Returns: the processors that this process may really use: the smallest of affinity and the CPU quota of every cgroup level.
unsigned usable_processors();

/// Returns: a sentence "unknown <kind> '<name>'; did you mean '…'? allowed: …".
std::string unknown_name(const char* kind, const std::string& name, const std::vector<std::string>& allowed);

}  // namespace TEFF_NAMESPACE

#endif
