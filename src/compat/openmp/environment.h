// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the environment becomes OpenMP's variables.
#pragma once

#include "compat/openmp/icv.h"

#include <optional>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

/// OpenMP's own allocators, from number 1.
inline constexpr const char* allocator_names[] = {"omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
                                                  "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",   "omp_cgroup_mem_alloc",
                                                  "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};

/// Effect: all = what the process' environment says. What cannot be understood is said on standard error, and ignored.
void read_environment(process_icvs& all);
/// Effect: understands Teff's own variables, as the runtime does; those for the runtime alone are left to it.
void read_own_variables(process_icvs& all);

/// Returns: the places that OMP_PLACES describes; nothing if it cannot be understood.
std::optional<std::vector<std::vector<unsigned>>> parse_places(std::string_view text);

/// Returns: the place of a member (OpenMP 5.2, section 10.1.3), of a team whose opener is at the place `first`, out of `places`,
/// which are the opener's. `bind_true` is close.
unsigned place_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, unsigned places);
/// Returns: the same, where the opener's places are some of all, `first` among them.
unsigned place_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, const stretch& of_opener);
/// Returns: the places that such a member has for its regions: its stretch in a spread region, else the opener's.
stretch places_of_member(std::uint8_t bind, unsigned number, unsigned members, unsigned first, const stretch& of_opener);

/// Returns: whether all fields of the format are known.
bool is_affinity_format(std::string_view text);
/// Effect: writes where the calling thread runs on standard error; empty: in the format of OMP_AFFINITY_FORMAT.
void display_affinity(std::string_view format);
/// Effect: writes OpenMP's variables on standard error, `verbose`: with Teff's own.
void display_environment(const process_icvs& all, bool verbose);

}  // namespace TEFF_NAMESPACE::openmp
