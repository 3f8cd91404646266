// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor quota that the kernel's control groups impose on this process.
#pragma once

#include <optional>
#include <string>

namespace teff::inline TEFF_PLATFORM::platform {

/// Effect: reads the quota of this process's control group and of every group above it, version 1 (cpu.cfs_quota_us and
/// cpu.cfs_period_us), version 2 (cpu.max), or both mounted side by side. `root` is put before every path that is read, for
/// tests with a tree of their own; it is empty for the real one.
/// Returns: the smallest quota in whole processors, rounded down, at least 1; nothing if no level has a quota.
/// Errors: a file that is missing or that cannot be understood counts as "no quota", because a limit that nobody can read must
/// not keep a program from running.
std::optional<unsigned> processors_by_cgroup_quota(const std::string& root = "");

}  // namespace teff::inline TEFF_PLATFORM::platform
