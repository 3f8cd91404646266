// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// omp_pause_resource: what the calling thread keeps for later regions is given back.
#include "compat/openmp/entry.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/target.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Of omp_pause_resource_t. `soft` preserves the program's variables, threadprivate ones among them, and so the threads.
enum class pause_kind : std::int32_t { soft = 1, hard = 2 };

constexpr int done = 0, refused = -1;

/// Threads: one outside of all regions, target regions among them, whose level is 0; else nothing is given back.
int pause(std::int32_t number) {
  const auto kind = static_cast<pause_kind>(number);
  if (kind != pause_kind::soft && kind != pause_kind::hard) return refused;
  const member* const current = known_self();
  if (current == nullptr) return done;
  if (current->in.opener != nullptr) return refused;
  current->thread->give_back(kind == pause_kind::hard);
  return done;
}

}  // namespace

TEFF_ENTRY int omp_pause_resource(std::int32_t kind, std::int32_t device) {
  return is_known_host(device) ? pause(kind) : refused;
}
TEFF_ENTRY int omp_pause_resource_(const std::int32_t* kind, const std::int32_t* device) {
  return omp_pause_resource(*kind, *device);
}
TEFF_ENTRY int omp_pause_resource_all(std::int32_t kind) { return pause(kind); }
TEFF_ENTRY int omp_pause_resource_all_(const std::int32_t* kind) { return pause(*kind); }

}  // namespace TEFF_NAMESPACE::openmp
