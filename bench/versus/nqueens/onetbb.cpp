// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "nqueens.h"

namespace {

template <bool Counted>
std::uint64_t solutions(const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t parts[versus::queens_at_most] = {};
  tbb::task_group all;
  for (unsigned i = 0; i < next.size(); ++i)
    all.run([&next, &part = parts[i], i, row, n] { part = solutions<Counted>(next[i], row + 1, n); });
  all.wait();
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

struct program : versus::onetbb_runtime {
  using problem = versus::nqueens;
  using onetbb_runtime::onetbb_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = arena.execute([&] { return solutions<Counted>({}, 0, of.queens()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
