// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "quicksort.h"

namespace {

template <bool Counted>
void sort(versus::part some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
#pragma omp task firstprivate(parts, threshold)
  sort<Counted>(parts.high, threshold);
  sort<Counted>(parts.low, threshold);
#pragma omp taskwait
}

struct program : versus::openmp_runtime {
  using problem = versus::quicksort;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] { sort<Counted>(of.whole(), of.threshold); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
