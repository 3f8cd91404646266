// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "synthetic.h"

namespace {

void run_a(int i, std::uint64_t f) {
  versus::note(i);
  versus::compute(100 * f);
  if (i <= 0) return;
  versus::compute(60 * f);
  parlay::par_do([=] { run_a(i - 1, f); }, [=] { run_a(i - 2, f); });
}

struct program : versus::parlaylib_runtime {
  using problem = versus::synthetic;
  using parlaylib_runtime::parlaylib_runtime;

  template <bool Counted>
  void run(problem& of) {
    for (int i = static_cast<int>(of.k) - 1; i >= 0; --i) run_a(i, of.f);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
