// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "fib.h"

namespace {

template <bool Counted>
std::uint64_t fib_of(std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  std::uint64_t two_before = 0;
  tbb::task_group offered;
  offered.run([n, &two_before] { two_before = fib_of<Counted>(n - 2); });
  const std::uint64_t one_before = fib_of<Counted>(n - 1);
  offered.wait();
  return one_before + two_before;
}

struct program : versus::onetbb_runtime {
  using problem = versus::fib;
  using onetbb_runtime::onetbb_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = arena.execute([&] { return fib_of<Counted>(of.n); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
