// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "fib.h"

namespace {

template <bool Counted>
std::uint64_t fib_of(std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  std::uint64_t two_before = 0;
#pragma omp task shared(two_before) firstprivate(n)
  two_before = fib_of<Counted>(n - 2);
  const std::uint64_t one_before = fib_of<Counted>(n - 1);
#pragma omp taskwait
  return one_before + two_before;
}

struct program : versus::openmp_runtime {
  using problem = versus::fib;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] { of.result = fib_of<Counted>(of.n); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
