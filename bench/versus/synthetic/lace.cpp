// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "synthetic.h"

namespace {

VOID_TASK_2(run_a, int, i, std::uint64_t, f) {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
    SPAWN(run_a, i - 2, f);
    versus::compute(50 * f);
    SPAWN(run_a, i - 1, f);
  }
  versus::compute(100 * f);
  if (i > 0) {
    SYNC(run_a);
    SYNC(run_a);
  }
}

VOID_TASK_2(run_all, int, k, std::uint64_t, f) {
  for (int i = k - 1; i >= 0; --i) SPAWN(run_a, i, f);
  for (int i = k - 1; i >= 0; --i) SYNC(run_a);
}

struct program : versus::lace_runtime {
  using problem = versus::synthetic;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    RUN(run_all, static_cast<int>(of.k), of.f);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
