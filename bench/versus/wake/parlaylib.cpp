// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "wake.h"

namespace {

struct program : versus::parlaylib_runtime {
  using problem = versus::wake;
  using parlaylib_runtime::parlaylib_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.offer();
    parlay::par_do([&] { of.compute_meanwhile(); }, [&] { of.begin(); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
