// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A limit of the address space that goes by what the process has: tests before may have mapped any amount. A sanitizer's own
/// memory is beyond such a limit.
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_support {

/// Effect: so many bytes more may be mapped from here on. Returns: the limit before.
inline rlimit leave_address_space_of(std::uint64_t bytes) {
  rlimit before{};
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages == 0 || getrlimit(RLIMIT_AS, &before) != 0) std::abort();
  const rlimit tight{pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes, before.rlim_max};
  if (setrlimit(RLIMIT_AS, &tight) != 0) std::abort();
  return before;
}

}  // namespace TEFF_NAMESPACE::testing_support
