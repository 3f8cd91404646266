// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "reduce.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <functional>

namespace {

struct program : versus::onetbb_runtime {
  using problem = versus::reduce;
  using onetbb_runtime::onetbb_runtime;

  static constexpr const char* forms[] = {"parallel_reduce"};

  template <bool Counted>
  void run(problem& of) {
    arena.execute([&] {
      for (double& sum : of.sums) {
        sum = tbb::parallel_reduce(
            tbb::blocked_range<std::uint64_t>(0, of.n), 0.0,
            [&](const tbb::blocked_range<std::uint64_t>& some, double before) {
              versus::count_task<Counted>();
              return before + problem::sum_serially(of.data.data() + some.begin(), of.data.data() + some.end());
            },
            std::plus<>());
      }
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
