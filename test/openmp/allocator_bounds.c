// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an allocator's pool counts, and where it falls back to if nobody said so.
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <sys/resource.h>

static const size_t beyond = (size_t)1 << 40;

static omp_allocator_handle_t with_pool(size_t bytes, omp_uintptr_t fallback) {
  const omp_alloctrait_t traits[] = {{omp_atk_pool_size, bytes}, {omp_atk_fallback, fallback}};
  return omp_init_allocator(omp_default_mem_space, 2, traits);
}

static void falls_back_by_default(void) {
  const omp_allocator_handle_t mine = with_pool(4096, omp_atv_default);
  void* const memory = omp_alloc(100000, mine);
  check(memory != NULL, "the default fallback is not the default memory");
  omp_free(memory, mine);
  omp_destroy_allocator(mine);
}

/// Memory that the system refuses takes nothing out of the pool.
static void refused_is_not_counted(void) {
  const struct rlimit less = {beyond / 2, beyond / 2};
  check(setrlimit(RLIMIT_AS, &less) == 0, "the address space cannot be limited");
  const omp_allocator_handle_t mine = with_pool(beyond + 4096, omp_atv_null_fb);
  for (int round = 0; round < 3; ++round) {
    check(omp_alloc(beyond, mine) == NULL, "there is memory beyond the limit of the address space");
    void* const memory = omp_alloc(8000, mine);
    check(memory != NULL, "in round %d refused memory is missing in the pool", round);
    omp_free(memory, mine);
  }
  omp_destroy_allocator(mine);
}

int main(void) {
  falls_back_by_default();
  refused_is_not_counted();
  return 0;
}
