// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Target regions, all of which run on the host: README.md, *Target regions*.
#pragma once

#include "compat/openmp/tasks.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// The numbers of devices. The host is the only one there is: it comes behind the others, of which there are none.
/// gcc passes `default_device` and `host_by_if_clause` to constructs; the others are names of OpenMP's. From version 15 on it
/// passes `named_default_device`, omp_default_device, as it is.
enum : int {
  host_device = 0,
  default_device = -1,
  initial_device = -1,
  host_by_if_clause = -2,
  invalid_device = -4,
  named_default_device = -5
};

/// Errors: ends the program if `device`, as gcc passes it to constructs, is said to be none, or if there must be no way but on
/// another device than the host (OMP_TARGET_OFFLOAD=mandatory), and it is not the host.
void expect_host(int device);
/// Returns: whether a program means the host by the number that it passes to a function of OpenMP. Errors: as expect_host.
bool is_host(int device);
/// Returns: the same. For questions, which are allowed in any case.
bool is_known_host(int device);

/// What gcc passes of a target region.
struct target_region {
  task_function function;
  void** addresses;            ///< its argument: of each variable the address, or the value
  const std::size_t* sizes;    ///< of the variables
  const std::uint16_t* kinds;  ///< how they are mapped, and above 8 bits the logarithm of the alignment; nullptr: by address
  std::size_t count;
  unsigned thread_limit;  ///< 0: none
};

/// Effect: runs a target region, with copies of what is firstprivate.
void run_target(member& current, const target_region& region);
/// Returns: a task that runs the region; its arguments have copies of what is firstprivate. Borrows the region until it is made.
task_request task_of(target_region& region);

}  // namespace TEFF_NAMESPACE::openmp
