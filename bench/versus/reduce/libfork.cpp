// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "reduce.h"

namespace {

struct program : versus::libfork_runtime {
  using problem = versus::reduce;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    const auto value = [](double element) {
      versus::count_task<Counted>();
      return element;
    };
    for (double& sum : of.sums)
      sum = wait_for(lf::fold, of.data.begin(), of.data.end(), static_cast<std::ptrdiff_t>(problem::grain), std::plus<>(), value)
                .value_or(0);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
