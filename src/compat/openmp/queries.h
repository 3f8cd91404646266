// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Those of omp.h's functions that others of them are made of.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// Regions within one another that may have more than one thread.
inline constexpr unsigned levels_at_most = 255;

extern "C" {
int omp_get_active_level();
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
void omp_set_num_threads(int threads);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
void omp_set_max_active_levels(int levels);
void omp_get_schedule(std::uint32_t* kind, int* chunk);
void omp_set_schedule(std::uint32_t kind, int chunk);
void omp_set_default_device(int device);
void omp_set_num_teams(int teams);
void omp_set_teams_thread_limit(int limit);
void omp_display_env(int verbose);
int omp_get_num_places();
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int* ids);
void omp_get_partition_place_nums(int* numbers);
}

extern "C" void omp_display_affinity(const char* format);

}  // namespace TEFF_NAMESPACE::openmp
