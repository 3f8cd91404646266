// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a `teff` learns how many regions the OpenMP drop-in ran in the processes below it: a file that both know.
#pragma once

#include <cstdint>

namespace teff {

/// The variable that names the files, with colons between them: one of each `teff run` and `teff compare` around a process.
/// Behind a comma stands the number of a segment of shared memory (shmat) with the same in it, for processes that have no way
/// to the file, or find another one there. No setting: `complaint_about_variable` knows nothing of it.
inline constexpr const char* region_count_variable = "_TEFF_REGION_COUNT";

/// What such a file begins with. Behind it each process with TEFF_STATS=1 leaves at its end what it counted by place, as text:
/// src/compat/openmp/SITES.md. This is mapped by every process that calls the drop-in, so that what was counted holds
/// however the process ends; a mark of other bytes says that the file is another one by now.
struct region_count {
  std::uint64_t mark;     ///< first, where platform::share_file looks for it
  std::uint64_t regions;  ///< added to atomically
  std::uint64_t callers;  ///< likewise: processes that called the drop-in and found this, whether they opened regions or not
};
inline constexpr std::uint64_t region_count_mark = 0x736E6F6967657254;

}  // namespace teff
