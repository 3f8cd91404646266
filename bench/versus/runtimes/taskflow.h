// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

#include <taskflow/taskflow.hpp>

namespace versus {

struct taskflow_runtime {
  static constexpr const char* runtime = "taskflow";
  static constexpr const char* forms[] = {"task_group"};

  explicit taskflow_runtime(const wishes& how) : executor(how.threads) {}

  /// Effect: calls the function as a task, and returns when it has returned.
  template <class Function>
  void in_task(Function function) {
    executor.async(function).get();
  }

  tf::Executor executor;
};

}  // namespace versus
