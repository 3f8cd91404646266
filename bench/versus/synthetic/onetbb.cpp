// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "synthetic.h"

namespace {

void run_a(tbb::task_group& all, int i, std::uint64_t f) {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
    all.run([&all, i, f] { run_a(all, i - 2, f); });
    versus::compute(50 * f);
    all.run([&all, i, f] { run_a(all, i - 1, f); });
  }
  versus::compute(100 * f);
}

struct program : versus::onetbb_runtime {
  using problem = versus::synthetic;
  using onetbb_runtime::onetbb_runtime;

  template <bool Counted>
  void run(problem& of) {
    arena.execute([&] {
      tbb::task_group all;
      for (int i = static_cast<int>(of.k) - 1; i >= 0; --i) all.run([&all, i, f = of.f] { run_a(all, i, f); });
      all.wait();
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
