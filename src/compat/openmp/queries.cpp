// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions by which programs ask for, and change, OpenMP's variables.
#include "compat/openmp/entry.h"
#include "compat/openmp/environment.h"
#include "compat/openmp/target.h"
#include "platform/foreign.h"

#include <algorithm>
#include <limits>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr std::uint32_t monotonic_bit = 0x80000000;

int as_int(std::uint64_t number) { return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max())); }

/// Returns: the member, at this level, that the calling thread's is nested in; nullptr if there is no such level.
const member* ancestor(int level) {
  const member* at = known_self();
  if (at == nullptr || level < 0 || static_cast<unsigned>(level) > at->in.level) return nullptr;
  while (at->in.level > static_cast<unsigned>(level)) at = at->in.opener;
  return at;
}

/// Returns: what `ask` says of the calling thread's member; `otherwise` if it is none.
template <class Ask>
int of_member(Ask ask, int otherwise) {
  const member* const known = known_self();
  return known != nullptr ? static_cast<int>(ask(*known)) : otherwise;
}

}  // namespace

TEFF_ENTRY int omp_get_thread_num() {
  return of_member([](const member& own) { return own.id; }, 0);
}
TEFF_ENTRY int omp_get_num_threads() {
  return of_member([](const member& own) { return own.in.size; }, 1);
}
TEFF_ENTRY int omp_get_max_threads() { return as_int(current_icvs().threads); }
TEFF_ENTRY void omp_set_num_threads(int threads) {
  change_icvs(self(), [&](icvs& own) { own.threads = static_cast<unsigned>(std::max(1, threads)); });
}
TEFF_ENTRY int omp_get_num_procs() { return as_int(processors()); }
TEFF_ENTRY int omp_in_parallel() {
  return of_member([](const member& own) { return own.in.active_level > 0; }, 0);
}
TEFF_ENTRY int omp_get_dynamic() { return current_icvs().dynamic; }
TEFF_ENTRY void omp_set_dynamic(int dynamic) {
  change_icvs(self(), [&](icvs& own) { own.dynamic = dynamic != 0; });
}
TEFF_ENTRY int omp_get_active_level() {
  return of_member([](const member& own) { return own.in.active_level; }, 0);
}
TEFF_ENTRY int omp_get_nested() {
  const icvs& own = current_icvs();
  return own.active_levels > 1 && own.active_levels > static_cast<unsigned>(omp_get_active_level());
}
TEFF_ENTRY void omp_set_nested(int nested) {
  change_icvs(self(), [&](icvs& own) { own.active_levels = nested != 0 ? levels_at_most : std::min(own.active_levels, 1u); });
}

TEFF_ENTRY int omp_get_level() {
  return of_member([](const member& own) { return own.in.level; }, 0);
}
TEFF_ENTRY int omp_get_ancestor_thread_num(int level) {
  const member* const at = ancestor(level);
  return at != nullptr ? static_cast<int>(at->id) : level == 0 ? 0 : -1;
}
TEFF_ENTRY int omp_get_team_size(int level) {
  const member* const at = ancestor(level);
  return at != nullptr ? static_cast<int>(at->in.size) : level == 0 ? 1 : -1;
}
TEFF_ENTRY int omp_get_max_active_levels() { return as_int(current_icvs().active_levels); }
TEFF_ENTRY void omp_set_max_active_levels(int levels) {
  if (levels < 0) return;
  change_icvs(self(), [&](icvs& own) { own.active_levels = std::min(static_cast<unsigned>(levels), levels_at_most); });
}
TEFF_ENTRY int omp_get_supported_active_levels() { return as_int(levels_at_most); }
TEFF_ENTRY int omp_get_thread_limit() {
  const unsigned limit = current_icvs().thread_limit;
  return limit == 0 ? std::numeric_limits<int>::max() : as_int(limit);
}

TEFF_ENTRY void omp_get_schedule(std::uint32_t* kind, int* chunk) {
  const icvs& own = current_icvs();
  *kind = static_cast<std::uint32_t>(own.run_schedule) | (own.monotonic ? monotonic_bit : 0);
  *chunk = own.run_chunk;
}
TEFF_ENTRY void omp_set_schedule(std::uint32_t kind, int chunk) {
  const std::uint32_t plain = kind & ~monotonic_bit;
  if (plain < static_cast<std::uint32_t>(schedule::fixed) || plain > static_cast<std::uint32_t>(schedule::automatic)) return;
  change_icvs(self(), [&](icvs& own) {
    own.run_schedule = static_cast<schedule>(plain);
    own.monotonic = (kind & monotonic_bit) != 0;
    if (own.run_schedule != schedule::automatic) own.run_chunk = chunk >= 1 ? chunk : usual_chunk(own.run_schedule);
  });
}

TEFF_ENTRY int omp_in_final() {
  return of_member([](const member& own) { return (own.running->flags & node::final) != 0; }, 0);
}
TEFF_ENTRY int omp_in_explicit_task() {
  return of_member([](const member& own) { return own.running->task()->parent() != nullptr; }, 0);
}
TEFF_ENTRY int omp_get_max_task_priority() { return process().max_task_priority; }
TEFF_ENTRY int omp_get_cancellation() { return process().cancellation ? 1 : 0; }

TEFF_ENTRY int omp_get_num_teams() {
  return of_member([](const member& own) { return own.in.teams; }, 1);
}
TEFF_ENTRY int omp_get_team_num() {
  return of_member([](const member& own) { return own.in.team_number; }, 0);
}
TEFF_ENTRY int omp_get_max_teams() { return as_int(process().teams); }
TEFF_ENTRY void omp_set_num_teams(int teams) {
  if (teams >= 0) process().teams = static_cast<unsigned>(teams);
}
TEFF_ENTRY int omp_get_teams_thread_limit() { return as_int(process().teams_thread_limit); }
TEFF_ENTRY void omp_set_teams_thread_limit(int limit) {
  if (limit >= 0) process().teams_thread_limit = static_cast<unsigned>(limit);
}

// There is one device: this machine.
TEFF_ENTRY int omp_get_num_devices() { return 0; }
TEFF_ENTRY int omp_get_initial_device() { return 0; }
TEFF_ENTRY int omp_get_device_num() { return 0; }
TEFF_ENTRY int omp_is_initial_device() { return 1; }
TEFF_ENTRY int omp_get_default_device() { return current_icvs().device; }
/// A program that sets again what it has asked for changes nothing, also if that is no device.
TEFF_ENTRY void omp_set_default_device(int device) {
  if (device == named_default_device) return;  // it is that already
  change_icvs(self(), [&](icvs& own) { own.device = device == invalid_device ? device : std::max(0, device); });
}

TEFF_ENTRY double omp_get_wtime() { return static_cast<double>(platform::now_ns()) * 1e-9; }
TEFF_ENTRY double omp_get_wtick() { return platform::clock_tick(); }

TEFF_ENTRY void omp_display_env(int verbose) { display_environment(process(), verbose != 0); }

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

TEFF_FORTRAN(omp_get_thread_num);
TEFF_FORTRAN(omp_get_num_threads);
TEFF_FORTRAN(omp_get_max_threads);
TEFF_FORTRAN(omp_get_num_procs);
TEFF_FORTRAN(omp_in_parallel);
TEFF_FORTRAN(omp_get_dynamic);
TEFF_FORTRAN(omp_get_nested);
TEFF_FORTRAN(omp_get_level);
TEFF_FORTRAN(omp_get_active_level);
TEFF_FORTRAN(omp_get_max_active_levels);
TEFF_FORTRAN(omp_get_supported_active_levels);
TEFF_FORTRAN(omp_get_thread_limit);
TEFF_FORTRAN(omp_in_final);
TEFF_FORTRAN(omp_in_explicit_task);
TEFF_FORTRAN(omp_get_max_task_priority);
TEFF_FORTRAN(omp_get_cancellation);
TEFF_FORTRAN(omp_get_num_teams);
TEFF_FORTRAN(omp_get_team_num);
TEFF_FORTRAN(omp_get_max_teams);
TEFF_FORTRAN(omp_get_teams_thread_limit);
TEFF_FORTRAN(omp_get_num_devices);
TEFF_FORTRAN(omp_get_initial_device);
TEFF_FORTRAN(omp_get_device_num);
TEFF_FORTRAN(omp_is_initial_device);
TEFF_FORTRAN(omp_get_default_device);
TEFF_FORTRAN(omp_get_wtime);
TEFF_FORTRAN(omp_get_wtick);

}  // namespace TEFF_NAMESPACE::openmp
