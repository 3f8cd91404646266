// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scenes.h"

#include <cstdint>

extern "C" {
void omp_set_lock(std::uint32_t* lock);
int omp_test_lock(std::uint32_t* lock);
void omp_unset_lock(std::uint32_t* lock);
void omp_init_nest_lock(void* lock);
void omp_destroy_nest_lock(void* lock);
void omp_set_nest_lock(void* lock);
int omp_test_nest_lock(void* lock);
void omp_unset_nest_lock(void* lock);
}

namespace TEFF_NAMESPACE::testing_openmp {

/// A lock of OpenMP, and what shows that one task has it.
struct guarded {
  std::uint32_t lock = 0;
  unsigned inside = 0, entries = 0;

  void enter() {
    omp_set_lock(&lock);
    expect(inside++ == 0, "two tasks hold one lock");
  }
  void leave() {
    ++entries;
    --inside;
    omp_unset_lock(&lock);
  }
  void pass() {
    enter();
    leave();
  }
};

}  // namespace TEFF_NAMESPACE::testing_openmp
