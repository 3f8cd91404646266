// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the files that gcc's calls come to share.
#pragma once

#include "compat/openmp/lock_word.h"
#include "compat/openmp/team.h"

/// Begins a function of libgomp's interface.
#define TEFF_ENTRY extern "C" [[gnu::visibility("default")]]
/// What has no arguments is the same for gfortran, under a name of its own.
#define TEFF_FORTRAN(type, name) TEFF_ENTRY [[gnu::nothrow, gnu::alias(#name)]] type name##_()

namespace TEFF_NAMESPACE::openmp {

/// Effect: opens a region, runs its part for number 0, closes it. `flags`: of GOMP_parallel: the kind that proc_bind says.
void run_region(task_function function, void* data, unsigned asked, unsigned flags, const loop* first_loop = nullptr);

}  // namespace TEFF_NAMESPACE::openmp
