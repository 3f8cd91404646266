// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "parallel_for.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace {

struct program : versus::onetbb_runtime {
  using problem = versus::parallel_for;
  using onetbb_runtime::onetbb_runtime;

  static constexpr const char* forms[] = {"parallel_for"};

  template <bool Counted>
  void run(problem& of) {
    arena.execute([&] {
      for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) {
        tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, of.n), [&](const tbb::blocked_range<std::uint64_t>& some) {
          versus::count_task<Counted>();
          problem::visit(of.data.data() + some.begin(), of.data.data() + some.end());
        });
      }
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
