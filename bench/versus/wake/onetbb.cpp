// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "wake.h"

namespace {

struct program : versus::onetbb_runtime {
  using problem = versus::wake;
  using onetbb_runtime::onetbb_runtime;

  template <bool Counted>
  void run(problem& of) {
    arena.execute([&] {
      tbb::task_group offered;
      of.offer();
      offered.run([&] { of.begin(); });
      of.compute_meanwhile();
      offered.wait();
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
