// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/topology.h"

#include <array>

namespace TEFF_NAMESPACE::sim {

/// Ranges of consecutive processors that are equally far from one another: those of a core complex, of a socket, of a board.
struct machine_level {
  unsigned width = 1;  ///< processors of one range
  unsigned transfer =
      0;  ///< cycles: a line comes from, or is taken away from, a processor of the same range, but of no nearer one
  /// What a range is in the tree of the platform: bits of sharing().
  unsigned shares = 0;
  /// Cycles: a line of the program's memory comes from the memory of a place in the same range, but in no nearer one; 0 where no
  /// capacities are stated.
  unsigned memory = 0;

  bool is(platform::level part) const { return (shares >> static_cast<unsigned>(part) & 1) != 0; }
  bool operator==(const machine_level&) const = default;
};

/// Returns: the bit for parts of the tree at `core`, `cache` or `package`.
constexpr unsigned sharing(platform::level part) { return 1u << static_cast<unsigned>(part); }

inline constexpr unsigned levels_at_most = 6;

/// What the simulated machine costs, in cycles of one processor. The defaults are those of `machines/generic.toml`, where their
/// sources stand; a test keeps them so. machines.h reads such files, and says how large each number may be.
struct machine_description {
  /// Ranges that lie within one another, from near to far. The last one is the whole machine.
  unsigned levels = 2;
  std::array<machine_level, levels_at_most> level = {{{8, 75, sharing(platform::level::cache)}, {1024, 300}}};

  double cycles_per_ns = 3.0;  ///< the clock rate, in GHz

  /// What a unit of charge() takes: natively it is one round of an empty loop.
  double cycles_per_charge_unit = 1.0;

  /// Access to a line that the processor already holds.
  unsigned own_line_hit = 4;

  /// Access to memory that is no atomic, in a line that the processor already holds: many of them overlap. 0: plain memory takes
  /// no time, wherever it is.
  unsigned plain_hit = 1;

  /// What a read-modify-write takes beyond a write.
  unsigned read_modify_write_extra = 20;

  /// How long a line that several processors hold unmodified is busy with handing out one more copy, while the reader waits
  /// for a whole transfer: caches pipeline such reads.
  unsigned shared_read_occupancy = 10;

  /// A standalone full fence.
  unsigned fence = 33;

  /// Having every processor pass a fence, for who asks; what this takes from the other processors is left out.
  unsigned fence_everywhere = 30'000;

  /// One round of a waiting loop, which ends with a pause.
  unsigned pause = 40;

  /// Reading the clock.
  unsigned clock_read = 25;

  /// Going to sleep in the kernel, waking somebody, and the time until the woken one runs.
  unsigned park = 2'000;
  unsigned wake = 3'000;
  unsigned wake_latency = 5'000;

  /// Each access to a shared line takes up to that many more, drawn from the seed: gives virtual time many schedules, as no two
  /// runs of a real machine are alike. 0: the same run whatever the seed, unless the pool or the program draws from it, too. An
  /// experiment's, not a machine's: no file has it.
  unsigned access_jitter = 0;

  /// Creating a thread.
  unsigned thread_start = 15'000;

  /// The instructions of a put or a get of a task, beside its accesses to memory.
  unsigned put_or_get = 3;

  /// Asking the system for memory, giving it back, and the first access to a page of 4 KiB in a run.
  unsigned system_allocation = 20;
  unsigned system_release = 11;
  unsigned page_touch = 1'500;

  /// Caches of the program's memory (caches.h), in KiB: each processor's own, and that of the level that shares a cache. 0: none
  /// is stated, and the program's memory costs nothing.
  unsigned own_cache_kib = 0;
  unsigned domain_cache_kib = 0;

  /// A line from the domain's cache; each further line of a block from there, and from farther away.
  unsigned domain_hit = 0;
  unsigned domain_next_line = 0;
  unsigned memory_next_line = 0;

  /// How long the memory of a place is busy with handing out a line.
  unsigned memory_occupancy = 0;

  bool states_capacities() const { return own_cache_kib != 0; }
  bool shares_cache() const { return width_of(platform::level::cache) > 1; }

  unsigned processors() const { return level[levels - 1].width; }

  /// Returns: the processors of one part of the tree, at `core`, `cache` or `package`. A machine whose description has no such
  /// level shares no cache between cores, has one thread in each core, and is one package.
  unsigned width_of(platform::level part) const {
    for (unsigned i = 0; i < levels; ++i) {
      if (level[i].is(part)) return level[i].width;
    }
    if (part == platform::level::core) return 1;
    return part == platform::level::cache ? width_of(platform::level::core) : processors();
  }

  bool operator==(const machine_description&) const = default;
};

}  // namespace TEFF_NAMESPACE::sim
