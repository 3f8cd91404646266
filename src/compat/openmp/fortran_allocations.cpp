// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which scalars of a Fortran program lie in memory of an allocator. gfortran from version 14 on asks where it gives their memory
/// back, or lets it grow, with -fopenmp-allocators: what an array has is said in its descriptor, and a scalar has none.
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"
#include "platform/process_wide.h"

#include <new>
#include <unordered_set>

namespace TEFF_NAMESPACE::openmp {

namespace {

struct allocations {
  platform::lock guard;
  std::unordered_set<const void*> all;
};

/// Never destroyed: programs give memory back at their end, too.
allocations& of_allocators() { return platform::process_wide<allocations>(); }

/// As many as `all` has. A program that uses no allocators takes no lock.
platform::atomic<std::size_t> noted{0};

}  // namespace

TEFF_ENTRY void GOMP_add_alloc(const void* memory) try {
  if (memory == nullptr) return;
  allocations& own = of_allocators();
  const platform::lock_guard guard(own.guard);
  // relaxed: who asks for this memory has it from the caller, and so sees the sum with it, or a later one; and each later one
  // has it, too, as long as nobody has asked.
  if (own.all.insert(memory).second) noted.fetch_add(1, platform::relaxed);
} catch (const std::bad_alloc&) {
  fail("no memory to note that a variable of the allocators directive is an allocator's");
}

/// Returns: whether the memory was noted. Effect: it is no more: its owner gives it back, or notes it anew.
TEFF_ENTRY bool GOMP_is_alloc(const void* memory) {
  if (noted.load(platform::relaxed) == 0) return false;
  allocations& own = of_allocators();
  const platform::lock_guard guard(own.guard);
  if (own.all.erase(memory) == 0) return false;
  noted.fetch_sub(1, platform::relaxed);
  return true;
}

}  // namespace TEFF_NAMESPACE::openmp
