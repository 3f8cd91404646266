// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "fib.h"

namespace {

template <bool Counted>
std::uint64_t fib_of(std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  std::uint64_t one_before = 0, two_before = 0;
  parlay::par_do([n, &one_before] { one_before = fib_of<Counted>(n - 1); },
                 [n, &two_before] { two_before = fib_of<Counted>(n - 2); });
  return one_before + two_before;
}

struct program : versus::parlaylib_runtime {
  using problem = versus::fib;
  using parlaylib_runtime::parlaylib_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = fib_of<Counted>(of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
