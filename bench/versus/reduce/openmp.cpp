// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "reduce.h"

namespace {

template <bool Counted>
double value(double element) {
  versus::count_task<Counted>();
  return element;
}

struct program : versus::openmp_runtime {
  using problem = versus::reduce;
  using openmp_runtime::openmp_runtime;

  /// Tasks; a loop that is divided once and for all, without tasks.
  static constexpr const char* forms[] = {"taskloop", "for"};

  template <bool Counted>
  void run(problem& of) {
    const double* const data = of.data.data();
    for (double& into : of.sums) {
      double sum = 0;
      if (form == "for") {
#pragma omp parallel for reduction(+ : sum)
        for (std::uint64_t i = 0; i < of.n; ++i) sum += value<Counted>(data[i]);
      } else {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
        for (std::uint64_t i = 0; i < of.n; ++i) sum += value<Counted>(data[i]);
      }
      into = sum;
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
