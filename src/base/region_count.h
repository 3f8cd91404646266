// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a `teff` learns how many regions the OpenMP drop-in ran in the processes below it: a file that both know.
#pragma once

#include <cstdint>

namespace teff {

/// The variable that names the files, with colons between them: one of each `teff run` and `teff compare` around a process.
/// Behind a comma stands the number of a segment of shared memory (shmat) with the same in it, for processes that have no way
/// to the file, or find another one there. No setting: `complaint_about_variable` knows nothing of it.
inline constexpr const char* region_count_variable = "_TEFF_REGION_COUNT";

/// Ticks of a `teff run --stats`, for the processes below it, which look at `number` for each task: it has a line without what is
/// counted. Written by that one alone, atomically, `number` last.
struct alignas(64) region_ticks {
  static constexpr std::uint64_t kept = 2048;
  static constexpr std::uint64_t least_apart_ns = 2'000'000;
  std::uint64_t number;          ///< of the last one; 0: there are none
  std::uint64_t apart_ns[kept];  ///< of the last ones, by their numbers modulo so many: the time since the one before
};

/// What such a file begins with. Behind it each process with TEFF_STATS=1 leaves at its end what it counted by place, as text:
/// src/compat/openmp/SITES.md. This is mapped by every process that calls the drop-in, so that what was counted holds
/// however the process ends; a mark of other bytes says that the file is another one by now.
struct region_count {
  std::uint64_t mark;     ///< first, where platform::share_file looks for it
  std::uint64_t regions;  ///< added to atomically
  std::uint64_t callers;  ///< likewise: processes that called the drop-in and found this, whether they opened regions or not
  region_ticks ticks;
};
inline constexpr std::uint64_t region_count_mark = 0x326E6F6967657254;  ///< other bytes for each layout

}  // namespace teff
