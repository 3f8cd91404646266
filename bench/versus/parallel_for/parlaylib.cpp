// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "parallel_for.h"

namespace {

struct program : versus::parlaylib_runtime {
  using problem = versus::parallel_for;
  using parlaylib_runtime::parlaylib_runtime;

  static constexpr const char* forms[] = {"parallel_for"};

  template <bool Counted>
  void run(problem& of) {
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) {
      parlay::parallel_for(0, of.n, [&](std::size_t i) {
        versus::count_task<Counted>();
        problem::visit(of.data[i]);
      });
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
