// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "parallel_for.h"

namespace {

struct program : versus::libfork_runtime {
  using problem = versus::parallel_for;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    const auto visit = [](std::uint64_t& element) {
      versus::count_task<Counted>();
      problem::visit(element);
    };
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep)
      wait_for(lf::for_each, of.data.begin(), of.data.end(), static_cast<std::ptrdiff_t>(problem::grain), visit);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
