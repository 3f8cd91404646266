// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The limits that the kernel's control groups impose on this process.
///
/// `root` is put before every path that is read, for tests with a tree of their own; it is empty for the real one. A file that
/// is missing or that cannot be understood counts as "no limit", because a limit that nobody can read must not keep a program
/// from running.
#pragma once

#include "base/namespace.h"

#include <optional>
#include <string>

namespace TEFF_NAMESPACE::platform {

/// The smallest limit of its kind, and where it stands.
struct cgroup_limit {
  double amount;     ///< processors, or threads
  std::string file;  ///< that sets it, as this process sees it
  std::string text;  ///< what it says: "150000 100000" are the quota and its period in microseconds
};

/// Effect: reads the quota of this process's control group and of every group above it, version 1 (cpu.cfs_quota_us and
/// cpu.cfs_period_us), version 2 (cpu.max), or both mounted side by side.
/// Returns: the smallest quota; nothing if no level has one.
std::optional<cgroup_limit> cgroup_quota(const std::string& root = "");

/// As cgroup_quota, for the number of threads and processes (pids.max).
std::optional<cgroup_limit> cgroup_threads(const std::string& root = "");

/// Returns: the quota rounded down, but at least 1.
unsigned whole_processors(const cgroup_limit& quota);

}  // namespace TEFF_NAMESPACE::platform
