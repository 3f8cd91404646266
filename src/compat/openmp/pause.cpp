// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs give up what OpenMP holds.
#include "compat/openmp/entry.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/target.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr int done = 0, refused = -1;
constexpr int soft = 1, hard = 2;

/// Effect: ends the threads that the calling one has for its regions, of either kind of pause: who is paused shall hold neither
/// stacks nor pools. Returns: the error.
int pause_host(int kind) {
  if (kind != soft && kind != hard) return refused;
  member* const current = known_self();
  if (current == nullptr) return done;
  if (current->in.level > 0) return refused;
  return current->thread->give_up() ? done : refused;
}

}  // namespace

TEFF_ENTRY int omp_pause_resource(int kind, int device) { return is_known_host(device) ? pause_host(kind) : refused; }
TEFF_ENTRY int omp_pause_resource_all(int kind) { return pause_host(kind); }
TEFF_ENTRY narrow omp_pause_resource_(const narrow* kind, const narrow* device) { return omp_pause_resource(*kind, *device); }
TEFF_ENTRY narrow omp_pause_resource_all_(const narrow* kind) { return omp_pause_resource_all(*kind); }

}  // namespace TEFF_NAMESPACE::openmp
