// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace versus {

struct onetbb_runtime {
  static constexpr const char* runtime = "onetbb";
  static constexpr const char* forms[] = {"task_group"};

  explicit onetbb_runtime(const wishes& how)
      : limit(tbb::global_control::max_allowed_parallelism, how.threads), arena(static_cast<int>(how.threads)) {}

  tbb::global_control limit;
  tbb::task_arena arena;
};

}  // namespace versus
