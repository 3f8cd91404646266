// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "wake.h"

namespace {

struct program : versus::openmp_runtime {
  using problem = versus::wake;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] {
      of.offer();
#pragma omp task shared(of)
      of.begin();
      of.compute_meanwhile();
#pragma omp taskwait
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
