// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine as one tree: packages, in these caches of the last level, in these cores, in these the processors, which are its
/// leaves.
#pragma once

#include "base/namespace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// What processors share, from near to far.
enum class level : std::uint8_t { core, cache, package, machine };

/// A leaf of the tree: a processor, and the way from it to the root.
struct processor_place {
  unsigned system_index;  ///< the operating system's number of it
  /// The core, cache and package that it is of: each numbered from 0 through the whole machine, in the order of places.
  std::array<unsigned, 3> parts{};

  /// Pre: not `level::machine`, of which there is one.
  unsigned part(level at) const { return parts[static_cast<std::size_t>(at)]; }
};

/// Returns: the nearest level at which both are in one part.
constexpr level nearest_common(const processor_place& a, const processor_place& b) {
  for (std::size_t at = 0; at < a.parts.size(); ++at) {
    if (a.parts[at] == b.parts[at]) return static_cast<level>(at);
  }
  return level::machine;
}

/// The processors that this process may really use.
struct topology {
  unsigned usable_processors = 1;       ///< smallest of affinity and the quota of every cgroup level, at least 1
  std::vector<processor_place> places;  ///< those in the affinity mask, in the order in which workers are placed on them
  std::vector<unsigned> memory_nodes;   ///< of each place, numbered from 0 in their order; empty if the system names none
  bool names_packages = true;           ///< whether the system says which package a processor is of
  const char* limited_by = "affinity";  ///< "affinity" or "cgroup quota": for the line that says why there are so many

  /// Returns: how many parts of a level there are.
  unsigned count(level of) const {
    unsigned parts = of == level::machine ? 1 : 0;
    for (const processor_place& each : places) {
      if (of != level::machine && each.part(of) >= parts) parts = each.part(of) + 1;
    }
    return parts;
  }
};

}  // namespace TEFF_NAMESPACE::platform
