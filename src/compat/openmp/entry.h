// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the files that gcc's calls come to share.
#pragma once

#include "compat/openmp/lock_word.h"
#include "compat/openmp/tasks.h"

#include <algorithm>
#include <limits>

/// Begins a function of libgomp's interface.
#define TEFF_ENTRY extern "C" [[gnu::visibility("default")]]
/// A further name of a function of this file. nothrow: gcc finds some of them so, and wants no name to promise less.
#define TEFF_SAME(name, same) TEFF_ENTRY [[gnu::nothrow, gnu::alias(#same)]] decltype(same) name
/// What has no arguments is the same for gfortran, under a name of its own.
#define TEFF_FORTRAN(name) TEFF_SAME(name##_, name)

namespace TEFF_NAMESPACE::openmp {

// What gfortran passes by reference; to functions with _8_ behind their names, of 64 bits.
using narrow = std::int32_t;
using wide = std::int64_t;
/// Returns: the nearest number of 32 bits.
inline int cut(wide number) {
  return static_cast<int>(std::clamp<wide>(number, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// Effect: opens a region, runs its part for number 0, closes it. `flags`: of GOMP_parallel: the kind that proc_bind says.
void run_region(task_function function, void* data, unsigned asked, unsigned flags, const loop* first_loop = nullptr,
                prepare_team* prepare = nullptr);

}  // namespace TEFF_NAMESPACE::openmp
