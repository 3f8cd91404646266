// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "nqueens.h"

namespace {

template <bool Counted>
std::uint64_t solutions(const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t parts[versus::queens_at_most] = {};
  for (unsigned i = 0; i < next.size(); ++i) {
#pragma omp task shared(next, parts) firstprivate(i, row, n)
    parts[i] = solutions<Counted>(next[i], row + 1, n);
  }
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

struct program : versus::openmp_runtime {
  using problem = versus::nqueens;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] { of.result = solutions<Counted>({}, 0, of.queens()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
