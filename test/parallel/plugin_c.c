// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As plugin.cpp, in C; and it calls while it is opened and while it is closed, too.
#include "teff/teff.h"

#include <stdlib.h>

static void add(size_t begin, size_t end, void* value, void* data) {
  unsigned* const sum = value;
  (void)data;
  for (size_t i = begin; i < end; ++i) *sum += (unsigned)i;
}
static void combine(void* left, const void* right, void* data) {
  (void)data;
  *(unsigned*)left += *(const unsigned*)right;
}

__attribute__((visibility("default"))) unsigned plugin_sum_below(unsigned size) {
  unsigned sum = 0;
  return teff_parallel_reduce(0, size, TEFF_ANY_GRAIN, &sum, sizeof sum, add, combine, NULL) == TEFF_OK ? sum : 0;
}

static void require_right_sum(void) {
  if (plugin_sum_below(100) != 4950) abort();
}
__attribute__((constructor)) static void opened(void) { require_right_sum(); }
__attribute__((destructor)) static void closed(void) {
  require_right_sum();
  if (teff_default_end() != TEFF_OK) abort();
  require_right_sum();
}
