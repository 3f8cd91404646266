// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `teff doctor` knows, before anything is said about it: plain data, so that tests can make it up.
#pragma once

#include "cli/doctor/build.h"
#include "cli/kernel.h"
#include "cli/system.h"
#include "platform/native/survey.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli {

/// A limit, and who sets it.
struct limit {
  std::uint64_t amount;
  std::string source;
};

struct facts {
  build_facts build;
  platform::survey machine;
  kernel_facts kernel;
  std::string kernel_release;
  double clock_read_ns = 0;  ///< that one look at the clock takes
  os::counting cycles = os::counting::works;
  os::counting cache_misses = os::counting::works;
  std::optional<std::uint64_t> user_threads, stack_bytes;           ///< limits of this process, if there are any
  std::vector<std::pair<std::string, std::string>> teff_variables;  ///< of the environment: name and value

  unsigned default_workers() const;
  /// Returns: the number of processors online; if that is not known, of those that are.
  unsigned processors() const;
  /// Returns: whether the quota is what keeps the number of usable processors down.
  bool limited_by_quota() const;
  /// Returns: the lowest of the limits on threads; nothing if none is known.
  std::optional<limit> threads() const;
};

/// Effect: finds out everything. `root` is put before the paths of the kernel's files, for tests. Cost: 20–100 ms.
facts gather_facts(const std::string& root = "");

}  // namespace teff::cli
