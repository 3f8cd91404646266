// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "synthetic.h"

namespace {

void run_a(int i, std::uint64_t f) {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
#pragma omp task firstprivate(i, f)
    run_a(i - 2, f);
    versus::compute(50 * f);
#pragma omp task firstprivate(i, f)
    run_a(i - 1, f);
  }
  versus::compute(100 * f);
}

struct program : versus::openmp_runtime {
  using problem = versus::synthetic;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] {
      for (int i = static_cast<int>(of.k) - 1; i >= 0; --i) {
#pragma omp task firstprivate(i)
        run_a(i, of.f);
      }
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
