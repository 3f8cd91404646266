// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scalars of Fortran are an allocator's: gfortran asks from version 14 on, with -fopenmp-allocators; here as it does.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>

enum { threads = 4, rounds = 2000 };

typedef void add_alloc(const void*);
typedef _Bool is_alloc(const void*);

static void* find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  check(found != NULL, "there is no %s", name);
  return found;
}

int main(void) {
  add_alloc* const note = (add_alloc*)find("GOMP_add_alloc");
  is_alloc* const is_noted = (is_alloc*)find("GOMP_is_alloc");
  int own = 0, others = 0;
  check(!is_noted(&own), "what was not noted is an allocator's");
  note(&own);
  note(NULL);
  check(!is_noted(&others) && !is_noted(NULL), "what was not noted, or nothing, is an allocator's");
  check(is_noted(&own), "what was noted is no allocator's");
  check(!is_noted(&own), "what was given back is an allocator's");
  note(&own);
  note(&own);
  check(is_noted(&own) && !is_noted(&own), "what was noted twice is so twice");
#pragma omp parallel num_threads(threads)
  for (int round = 0; round < rounds; ++round) {
    int* const mine = omp_alloc(sizeof *mine, omp_default_mem_alloc);
    int* const of_system = malloc(sizeof *of_system);
    note(mine);
    check(!is_noted(of_system), "memory of the system's is an allocator's");
    check(is_noted(mine), "an allocator's memory is the system's");
    omp_free(mine, omp_null_allocator);
    free(of_system);
  }
  return 0;
}
