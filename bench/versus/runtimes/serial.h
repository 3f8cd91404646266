// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

namespace versus {

struct serial_runtime {
  static constexpr const char* runtime = "serial";
  static constexpr const char* forms[] = {"calls"};

  explicit serial_runtime(const wishes& how) {
    if (how.threads != 1) throw wrong_word("--threads cannot be '" + std::to_string(how.threads) + "'; a serial program has 1");
  }
};

}  // namespace versus
