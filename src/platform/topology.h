// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace teff::inline TEFF_PLATFORM::platform {

/// Where one usable processor sits.
struct processor_place {
  unsigned system_index;  ///< the operating system's number of it
  unsigned domain;        ///< processors of one domain share a last-level cache; domains are numbered from 0
};

/// The processors that this process may really use.
struct topology {
  unsigned usable_processors = 1;       ///< smallest of affinity and the quota of every cgroup level, at least 1
  std::vector<processor_place> places;  ///< those in the affinity mask, in the order in which workers are placed on them
  std::vector<std::vector<std::uint8_t>> domain_distance;  ///< 0 on the diagonal; larger is farther
  const char* limited_by = "affinity";  ///< "affinity" or "cgroup quota": for the line that says why there are so many
};

}  // namespace teff::inline TEFF_PLATFORM::platform
