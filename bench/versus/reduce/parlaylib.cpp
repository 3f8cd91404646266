// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "reduce.h"

#include <parlay/primitives.h>

namespace {

struct program : versus::parlaylib_runtime {
  using problem = versus::reduce;
  using parlaylib_runtime::parlaylib_runtime;

  static constexpr const char* forms[] = {"reduce"};

  template <bool Counted>
  void run(problem& of) {
    const auto value = parlay::delayed_tabulate(of.n, [&](std::size_t i) {
      versus::count_task<Counted>();
      return of.data[i];
    });
    for (double& sum : of.sums) sum = parlay::reduce(value, parlay::plus<double>());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
