// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "parallel_for.h"

namespace {

template <bool Counted>
void visit(std::uint64_t& element) {
  versus::count_task<Counted>();
  versus::parallel_for::visit(element);
}

struct program : versus::openmp_runtime {
  using problem = versus::parallel_for;
  using openmp_runtime::openmp_runtime;

  /// Tasks; a loop that is divided once and for all, without tasks.
  static constexpr const char* forms[] = {"taskloop", "for"};

  template <bool Counted>
  void run(problem& of) {
    std::uint64_t* const data = of.data.data();
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) {
      if (form == "for") {
#pragma omp parallel for
        for (std::uint64_t i = 0; i < of.n; ++i) visit<Counted>(data[i]);
      } else {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
        for (std::uint64_t i = 0; i < of.n; ++i) visit<Counted>(data[i]);
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
