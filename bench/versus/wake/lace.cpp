// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "wake.h"

namespace {

VOID_TASK_1(begin_trial, versus::wake*, of) { of->begin(); }

VOID_TASK_1(trial, versus::wake*, of) {
  of->offer();
  SPAWN(begin_trial, of);
  of->compute_meanwhile();
  SYNC(begin_trial);
}

struct program : versus::lace_runtime {
  using problem = versus::wake;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    RUN(trial, &of);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
