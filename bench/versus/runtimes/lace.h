// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

#include <lace.h>

namespace versus {

struct lace_runtime {
  static constexpr const char* runtime = "lace";
  static constexpr const char* forms[] = {"spawn"};

  explicit lace_runtime(const wishes& how) { lace_start(how.threads, 0); }
  ~lace_runtime() { lace_stop(); }
};

}  // namespace versus
