// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions for programs that have arguments, as gfortran calls them: by reference; with _8_ behind their names, of 64 bits.
#include "compat/openmp/entry.h"
#include "compat/openmp/queries.h"
#include "compat/openmp/refuse.h"

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

namespace {

using narrow = std::int32_t;
using wide = std::int64_t;

/// Returns: the nearest number of 32 bits.
int cut(wide number) {
  return static_cast<int>(std::clamp<wide>(number, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

/// Effect: fill(numbers) fills `count` numbers; then `to` holds them.
template <class Fill>
void widen(wide* to, int count, Fill fill) try {
  std::vector<int> numbers(static_cast<std::size_t>(std::max(0, count)));
  fill(numbers.data());
  std::copy(numbers.begin(), numbers.end(), to);
} catch (const std::bad_alloc&) {
  fail("no memory for %d numbers", count);
}

}  // namespace

TEFF_ENTRY void omp_set_num_threads_(const narrow* threads) { omp_set_num_threads(*threads); }
TEFF_ENTRY void omp_set_num_threads_8_(const wide* threads) { omp_set_num_threads(cut(*threads)); }
TEFF_ENTRY void omp_set_dynamic_(const narrow* dynamic) { omp_set_dynamic(*dynamic); }
TEFF_ENTRY void omp_set_dynamic_8_(const wide* dynamic) { omp_set_dynamic(*dynamic != 0); }
TEFF_ENTRY void omp_set_nested_(const narrow* nested) { omp_set_nested(*nested); }
TEFF_ENTRY void omp_set_nested_8_(const wide* nested) { omp_set_nested(*nested != 0); }
TEFF_ENTRY void omp_set_max_active_levels_(const narrow* levels) { omp_set_max_active_levels(*levels); }
TEFF_ENTRY void omp_set_max_active_levels_8_(const wide* levels) { omp_set_max_active_levels(cut(*levels)); }
TEFF_ENTRY narrow omp_get_ancestor_thread_num_(const narrow* level) { return omp_get_ancestor_thread_num(*level); }
TEFF_ENTRY narrow omp_get_ancestor_thread_num_8_(const wide* level) { return omp_get_ancestor_thread_num(cut(*level)); }
TEFF_ENTRY narrow omp_get_team_size_(const narrow* level) { return omp_get_team_size(*level); }
TEFF_ENTRY narrow omp_get_team_size_8_(const wide* level) { return omp_get_team_size(cut(*level)); }

TEFF_ENTRY void omp_get_schedule_(std::uint32_t* kind, narrow* chunk) { omp_get_schedule(kind, chunk); }
TEFF_ENTRY void omp_get_schedule_8_(std::uint32_t* kind, wide* chunk) {
  int number = 0;
  omp_get_schedule(kind, &number);
  *chunk = number;
}
TEFF_ENTRY void omp_set_schedule_(const std::uint32_t* kind, const narrow* chunk) { omp_set_schedule(*kind, *chunk); }
TEFF_ENTRY void omp_set_schedule_8_(const std::uint32_t* kind, const wide* chunk) { omp_set_schedule(*kind, cut(*chunk)); }

TEFF_ENTRY void omp_set_default_device_(const narrow* device) { omp_set_default_device(*device); }
TEFF_ENTRY void omp_set_default_device_8_(const wide* device) { omp_set_default_device(cut(*device)); }
TEFF_ENTRY void omp_set_num_teams_(const narrow* teams) { omp_set_num_teams(*teams); }
TEFF_ENTRY void omp_set_num_teams_8_(const wide* teams) { omp_set_num_teams(cut(*teams)); }
TEFF_ENTRY void omp_set_teams_thread_limit_(const narrow* limit) { omp_set_teams_thread_limit(*limit); }
TEFF_ENTRY void omp_set_teams_thread_limit_8_(const wide* limit) { omp_set_teams_thread_limit(cut(*limit)); }
TEFF_ENTRY void omp_display_env_(const narrow* verbose) { omp_display_env(*verbose != 0); }
TEFF_ENTRY void omp_display_env_8_(const wide* verbose) { omp_display_env(*verbose != 0); }

TEFF_ENTRY narrow omp_get_place_num_procs_(const narrow* place) { return omp_get_place_num_procs(*place); }
TEFF_ENTRY narrow omp_get_place_num_procs_8_(const wide* place) { return omp_get_place_num_procs(cut(*place)); }
TEFF_ENTRY void omp_get_place_proc_ids_(const narrow* place, narrow* ids) { omp_get_place_proc_ids(*place, ids); }
TEFF_ENTRY void omp_get_place_proc_ids_8_(const wide* place, wide* ids) {
  const int number = cut(*place);
  widen(ids, omp_get_place_num_procs(number), [&](int* to) { omp_get_place_proc_ids(number, to); });
}
TEFF_ENTRY void omp_get_partition_place_nums_(narrow* numbers) { omp_get_partition_place_nums(numbers); }
TEFF_ENTRY void omp_get_partition_place_nums_8_(wide* numbers) {
  widen(numbers, omp_get_num_places(), [&](int* to) { omp_get_partition_place_nums(to); });
}

}  // namespace TEFF_NAMESPACE::openmp
