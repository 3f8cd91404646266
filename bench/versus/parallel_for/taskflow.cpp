// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "parallel_for.h"

#include <taskflow/algorithm/for_each.hpp>

namespace {

struct program : versus::taskflow_runtime {
  using problem = versus::parallel_for;
  using taskflow_runtime::taskflow_runtime;

  static constexpr const char* forms[] = {"for_each_index"};

  template <bool Counted>
  void run(problem& of) {
    tf::Taskflow loop;
    loop.for_each_index(std::uint64_t{0}, of.n, std::uint64_t{1}, [&](std::uint64_t i) {
      versus::count_task<Counted>();
      problem::visit(of.data[i]);
    });
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) executor.run(loop).wait();
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
