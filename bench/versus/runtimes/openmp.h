// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenMP tasks. Built by g++ they run on libgomp, built by clang++ on LLVM's libomp.
#pragma once

#include "../common/harness.h"

#include <omp.h>

namespace versus {

struct openmp_runtime {
#ifdef __clang__
  static constexpr const char* runtime = "libomp";
#else
  static constexpr const char* runtime = "libgomp";
#endif
  static constexpr const char* forms[] = {"task"};

  explicit openmp_runtime(const wishes& how) : form(how.form) {
    omp_set_dynamic(0);
    omp_set_num_threads(static_cast<int>(how.threads));
  }

  const std::string form;
};

/// Effect: calls the function on one thread of a team, and returns when all tasks have ended.
template <class Function>
void in_team(Function function) {
#pragma omp parallel
#pragma omp single
  function();
}

}  // namespace versus
