// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_alloc and its family, allocators with traits, the allocate clause.
#include "check.h"
#include "entry_points.h"
#include "memory.h"

#include <omp.h>
#include <string.h>
#include <sys/resource.h>

static void fill(void* memory, size_t size, const char* what) {
  check(memory != NULL, "%s gives no memory", what);
  memset(memory, 0x5a, size);
}

static void predefined(void) {
  const omp_allocator_handle_t all[] = {omp_null_allocator,   omp_default_mem_alloc, omp_large_cap_mem_alloc,
                                        omp_const_mem_alloc,  omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
                                        omp_cgroup_mem_alloc, omp_pteam_mem_alloc,   omp_thread_mem_alloc};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    char* plain = omp_alloc(1000, all[i]);
    fill(plain, 1000, "omp_alloc");
    omp_free(plain, all[i]);
    char* zero = omp_calloc(10, 100, all[i]);
    check(zero != NULL && zero[0] == 0 && memcmp(zero, zero + 1, 999) == 0, "omp_calloc's memory is not zero");
    omp_free(zero, omp_null_allocator);
  }
  omp_free(NULL, omp_null_allocator);
}

static void aligned(void) {
  for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
    char* memory = omp_aligned_alloc(alignment, alignment * 2, omp_default_mem_alloc);
    fill(memory, alignment * 2, "omp_aligned_alloc");
    check((uintptr_t)memory % alignment == 0, "omp_aligned_alloc(%zu) gives %p", alignment, (void*)memory);
    omp_free(memory, omp_default_mem_alloc);
    char* zero = omp_aligned_calloc(alignment, 4, alignment, omp_default_mem_alloc);
    check(zero != NULL && (uintptr_t)zero % alignment == 0, "omp_aligned_calloc(%zu) gives %p", alignment, (void*)zero);
    check(zero[0] == 0 && memcmp(zero, zero + 1, 4 * alignment - 1) == 0, "omp_aligned_calloc's memory is not zero");
    omp_free(zero, omp_default_mem_alloc);
  }
}

static void grown(void) {
  char* memory = omp_alloc(10, omp_default_mem_alloc);
  memcpy(memory, "123456789", 10);
  memory = omp_realloc(memory, 100000, omp_default_mem_alloc, omp_default_mem_alloc);
  check(memory != NULL && strcmp(memory, "123456789") == 0, "omp_realloc loses what was in the memory");
  memset(memory, 1, 100000);
  memory = omp_realloc(memory, 5, omp_default_mem_alloc, omp_default_mem_alloc);
  check(memory != NULL && memory[4] == 1, "omp_realloc to less loses what was in the memory");
  omp_free(memory, omp_default_mem_alloc);
}

static void with_traits(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 3, traits);
  check(mine != omp_null_allocator, "omp_init_allocator gives no allocator");
  char* memory = omp_alloc(1000, mine);
  fill(memory, 1000, "an allocator with traits");
  check((uintptr_t)memory % 256 == 0, "an allocator of alignment 256 gives %p", (void*)memory);
  check(omp_alloc(100000, mine) == NULL, "a pool of 8192 bytes gives 100000");
  omp_free(memory, mine);
  memory = omp_alloc(5000, mine);
  check(memory != NULL, "a pool does not get back what is freed");
  omp_free(memory, omp_null_allocator);
  omp_set_default_allocator(mine);
  check(omp_get_default_allocator() == mine, "omp_set_default_allocator has no effect");
  check(omp_alloc(100000, omp_null_allocator) == NULL, "the default allocator is not the one that was set");
  omp_set_default_allocator(omp_default_mem_alloc);
  check(omp_get_default_allocator() == omp_default_mem_alloc, "the default allocator cannot be set back");
  omp_destroy_allocator(mine);
}

/// The pool has room for one of the blocks, not for the old and the new one.
static void grown_in_a_pool(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  char* memory = omp_alloc(3071, mine);
  check(memory != NULL, "a pool of 4096 bytes does not give 3071");
  memset(memory, 5, 3071);
  for (size_t bytes = 3072; bytes <= 4064; bytes += 31) {
    memory = omp_realloc(memory, bytes, mine, mine);
    check(memory != NULL && memory[3070] == 5, "omp_realloc to %zu bytes in a pool of 4096 fails", bytes);
  }
  check(omp_realloc(memory, 5000, mine, mine) == NULL && memory[3070] == 5, "a pool of 4096 bytes gives 5000");
  memory = omp_realloc(memory, 100, omp_null_allocator, mine);
  char* other = omp_alloc(3700, mine);
  check(memory != NULL && memory[99] == 5 && other != NULL, "a pool does not get back what omp_realloc to less leaves");
  omp_free(other, mine);
  // Out of the pool and into it again.
  memory = omp_realloc(memory, 6000, omp_default_mem_alloc, mine);
  other = omp_alloc(4064, mine);
  check(memory != NULL && memory[99] == 5 && other != NULL, "a pool does not get back what omp_realloc takes elsewhere");
  check(omp_realloc(memory, 50, mine, omp_default_mem_alloc) == NULL, "a full pool gives 50 bytes");
  omp_free(other, mine);
  memory = omp_realloc(memory, 4000, mine, omp_default_mem_alloc);
  check(memory != NULL && memory[99] == 5 && omp_alloc(100, mine) == NULL, "omp_realloc into a pool is not counted there");
  omp_free(memory, mine);
  other = omp_alloc(4064, mine);
  check(other != NULL, "a pool does not get back what was reallocated and freed");
  omp_free(other, mine);
  omp_destroy_allocator(mine);
}

/// An allocator that is to fall back to another, which nobody named, and is the default one itself.
static void without_another(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_allocator_fb}};
  const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  if (mine == omp_null_allocator) return;  // a runtime may refuse it
  omp_set_default_allocator(mine);
  char* memory = omp_alloc(100000, mine);
  if (memory != NULL) fill(memory, 100000, "omp_alloc");
  omp_free(memory, mine);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(mine);
}

static void clause(int n) {
  int wrong = 0;
  char local[100];
#pragma omp parallel num_threads(n) private(local) allocate(omp_default_mem_alloc : local) reduction(+ : wrong)
  {
    memset(local, omp_get_thread_num() + 1, sizeof local);
#pragma omp barrier
    for (unsigned i = 0; i < sizeof local; ++i) wrong += local[i] != omp_get_thread_num() + 1;
  }
  check(wrong == 0, "%d bytes of variables with allocate are wrong", wrong);
  char* memory = GOMP_alloc(512, 1000, omp_default_mem_alloc);
  fill(memory, 1000, "GOMP_alloc");
  check((uintptr_t)memory % 512 == 0, "GOMP_alloc(512) gives %p", (void*)memory);
  GOMP_free(memory, omp_default_mem_alloc);
}

static void* lost;

/// Whoever does not free runs out: 40 rounds of 1 MiB in an address space with room for 20 more.
static void really_freed(void (*release)(void*)) {
  for (int round = 0; round < 40; ++round) {
    lost = omp_alloc(1 << 20, omp_default_mem_alloc);
    check(lost != NULL, "freed memory is not given back: round %d", round);
    release(lost);
  }
}

static void by_omp(void* memory) { omp_free(memory, omp_default_mem_alloc); }
static void by_gomp(void* memory) { GOMP_free(memory, omp_default_mem_alloc); }

/// From here on the address space may grow by that many MiB.
static void limit_growth(long mebibytes) {
  const rlim_t limit = (rlim_t)(memory_bytes(0) + mebibytes * (1 << 20));
  const struct rlimit less = {limit, limit};
  setrlimit(RLIMIT_AS, &less);
}

static void allocators_are_freed(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
  for (int i = 0; i < 300000; ++i) {
    const omp_allocator_handle_t each = omp_init_allocator(omp_default_mem_space, 1, traits);
    check(each != omp_null_allocator, "omp_init_allocator gives no allocator in round %d", i);
    omp_destroy_allocator(each);
  }
}

int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "without_another") == 0) {
    without_another();
    return 0;
  }
  predefined();
  aligned();
  grown();
  with_traits();
  grown_in_a_pool();
  clause(omp_get_max_threads());
  limit_growth(20);
  really_freed(by_omp);
  really_freed(by_gomp);
  limit_growth(8);
  allocators_are_freed();
  return 0;
}
