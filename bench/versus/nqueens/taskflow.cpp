// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "nqueens.h"

namespace {

template <bool Counted>
std::uint64_t solutions(tf::Executor& executor, const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t parts[versus::queens_at_most] = {};
  tf::TaskGroup all = executor.task_group();
  for (unsigned i = 0; i < next.size(); ++i)
    all.silent_async(
        [&executor, &next, &part = parts[i], i, row, n] { part = solutions<Counted>(executor, next[i], row + 1, n); });
  all.corun();
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

struct program : versus::taskflow_runtime {
  using problem = versus::nqueens;
  using taskflow_runtime::taskflow_runtime;

  template <bool Counted>
  void run(problem& of) {
    in_task([&] { of.result = solutions<Counted>(executor, {}, 0, of.queens()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
