// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "fib.h"

namespace {

template <bool Counted>
std::uint64_t fib_of(tf::Executor& executor, std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  std::uint64_t two_before = 0;
  tf::TaskGroup offered = executor.task_group();
  offered.silent_async([&executor, n, &two_before] { two_before = fib_of<Counted>(executor, n - 2); });
  const std::uint64_t one_before = fib_of<Counted>(executor, n - 1);
  offered.corun();
  return one_before + two_before;
}

struct program : versus::taskflow_runtime {
  using problem = versus::fib;
  using taskflow_runtime::taskflow_runtime;

  template <bool Counted>
  void run(problem& of) {
    in_task([&] { of.result = fib_of<Counted>(executor, of.n); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
