// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How machine() is put together: what the system says, and a pure function from that to the topology.
#pragma once

#include "platform/topology.h"

#include <optional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// Where one processor sits, in numbers that only serve to tell whether two processors share the thing.
struct processor_location {
  unsigned system_index;  ///< the operating system's number of it
  unsigned core;          ///< hardware threads of one core share it
  unsigned cache;         ///< last-level cache, or package where the system names no third-level cache
  unsigned package;       ///< package, or memory node where the system names no package
  bool has_package = true;
  std::optional<unsigned> memory_node = {};
};

/// Returns: the system's numbers of the processors that the calling thread may run on, ascending; {0} if they cannot be read.
std::vector<unsigned> processors_by_affinity();

/// Effect: reads where these processors sit from the kernel's files. `root` is put before their paths, for tests.
/// Returns: a location for each; all in one core's numbers apart and in one cache and package if there are no such files.
/// Cost: two files for each processor, some more for each cache and each memory node; 10 µs each.
std::vector<processor_location> locate_processors(const std::vector<unsigned>& processors, const std::string& root = "");

/// Returns: the topology of these processors under this quota. Places are sorted by package, then cache, then one hardware
/// thread of each core before the second ones, so that consecutive workers fill one domain before they go to the next.
/// Domains in one package are at distance 1, in two packages at distance 2. Pre: at least one location.
topology arrange_processors(std::vector<processor_location> locations, std::optional<unsigned> quota);

/// Effect: reads what machine() keeps. `root` is put before the paths of the kernel's files, for tests.
topology read_topology(const std::string& root = "");

}  // namespace TEFF_NAMESPACE::platform
