// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

#include <parlay/parallel.h>

#include <cstdlib>

namespace versus {

struct parlaylib_runtime {
  static constexpr const char* runtime = "parlaylib";
  static constexpr const char* forms[] = {"par_do"};

  explicit parlaylib_runtime(const wishes& how) { setenv("PARLAY_NUM_THREADS", std::to_string(how.threads).c_str(), 1); }
};

}  // namespace versus
