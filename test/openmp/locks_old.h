// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock functions under their first version: a lock has 4 bytes, a nested lock 8. Included by the programs for C and Fortran,
// which say what the names end in (TEFF_NAME_END).
#pragma once

#include "check.h"

#include <omp.h>
#include <string.h>

typedef struct {
  int words[2];
} old_nest_lock;

#define TEFF_OLD(result, name, argument) \
  result old_##name(argument*);          \
  __asm__(".symver old_" #name ", omp_" #name TEFF_NAME_END "@OMP_1.0");
TEFF_OLD(void, init_lock, int)
TEFF_OLD(void, destroy_lock, int)
TEFF_OLD(void, set_lock, int)
TEFF_OLD(void, unset_lock, int)
TEFF_OLD(int, test_lock, int)
TEFF_OLD(void, init_nest_lock, old_nest_lock)
TEFF_OLD(void, destroy_nest_lock, old_nest_lock)
TEFF_OLD(void, set_nest_lock, old_nest_lock)
TEFF_OLD(void, unset_nest_lock, old_nest_lock)
TEFF_OLD(int, test_nest_lock, old_nest_lock)

static void plain(int n) {
  int lock = -1, inside = 0, sum = 0, arrived = 0;
  old_init_lock(&lock);
  check(old_test_lock(&lock) != 0, "test_lock does not get a free lock");
  check(old_test_lock(&lock) == 0, "test_lock gets a lock that is held");
  old_unset_lock(&lock);
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) {
      old_set_lock(&lock);
      be_alone(&inside, "a lock");
      sum += 1;
      old_unset_lock(&lock);
    }
  }
  check(sum == 5 * n, "%d of %d turns with a lock ran", sum, 5 * n);
  old_destroy_lock(&lock);
}

static void nested(int n) {
  struct {
    old_nest_lock lock;
    int behind[2];
  } memory;
  int inside = 0, sum = 0, arrived = 0;
  memset(&memory, 0xff, sizeof memory);
  old_init_nest_lock(&memory.lock);
  check(old_test_nest_lock(&memory.lock) == 1, "test_nest_lock does not get a free lock");
  old_set_nest_lock(&memory.lock);
  check(old_test_nest_lock(&memory.lock) == 3, "a lock that was taken twice is not taken the third time");
  for (int i = 0; i < 3; ++i) old_unset_nest_lock(&memory.lock);
#pragma omp parallel num_threads(n)
  {
    meet(&arrived, n);
    for (int i = 0; i < 5; ++i) {
      old_set_nest_lock(&memory.lock);
      old_set_nest_lock(&memory.lock);
      old_unset_nest_lock(&memory.lock);
      be_alone(&inside, "a nested lock");
      sum += 1;
      old_unset_nest_lock(&memory.lock);
    }
  }
  check(sum == 5 * n, "%d of %d turns with a nested lock ran", sum, 5 * n);
  check(memory.behind[0] == -1 && memory.behind[1] == -1, "the memory behind a nested lock of 8 bytes was written to");
  old_destroy_nest_lock(&memory.lock);
}

static void all(int n) {
  plain(n);
  plain(3);
  nested(n);
  nested(3);
}
