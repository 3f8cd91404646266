// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "wake.h"

namespace {

struct program : versus::taskflow_runtime {
  using problem = versus::wake;
  using taskflow_runtime::taskflow_runtime;

  template <bool Counted>
  void run(problem& of) {
    in_task([&] {
      tf::TaskGroup offered = executor.task_group();
      of.offer();
      offered.silent_async([&] { of.begin(); });
      of.compute_meanwhile();
      offered.corun();
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
