// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What this machine looks like, for people who ask (`teff doctor`); the runtime itself needs no more than machine().
#pragma once

#include "platform/native/cgroup.h"
#include "platform/topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// Caches for data of one level that have the same size and serve the same number of processors.
struct cache_kind {
  unsigned level;
  std::uint64_t bytes;
  unsigned processors;  ///< that share one
  unsigned count;
};

/// What hwloc counts on the whole machine, as far as this process may use it; 0 where it knows of none.
struct machine_shape {
  unsigned packages = 0;
  unsigned memory_nodes = 0;
  unsigned cores = 0;
  unsigned processors = 0;  ///< hardware threads
  std::vector<cache_kind> caches;
};

struct survey {
  std::vector<unsigned> mask;  ///< the system's numbers of the processors in the affinity mask
  std::optional<cgroup_limit> quota;
  std::optional<cgroup_limit> threads;
  topology usable;
  machine_shape shape;
};

/// Effect: asks hwloc. `synthetic` is a machine in hwloc's notation, for tests; null is this machine.
machine_shape read_shape(const char* synthetic = nullptr);

/// Effect: reads everything anew. `root` is put before the paths of the kernel's files, for tests.
/// Cost: 10–80 ms.
survey survey_machine(const std::string& root = "");

/// Returns: the version of the headers that Teff was compiled with.
const char* hwloc_version();

}  // namespace TEFF_NAMESPACE::platform
