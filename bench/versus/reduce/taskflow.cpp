// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "reduce.h"

#include <taskflow/algorithm/reduce.hpp>

namespace {

struct program : versus::taskflow_runtime {
  using problem = versus::reduce;
  using taskflow_runtime::taskflow_runtime;

  static constexpr const char* forms[] = {"transform_reduce"};

  template <bool Counted>
  void run(problem& of) {
    for (double& into : of.sums) {
      double sum = 0;
      tf::Taskflow once;
      once.transform_reduce(of.data.begin(), of.data.end(), sum, std::plus<>(), [](double element) {
        versus::count_task<Counted>();
        return element;
      });
      executor.run(once).wait();
      into = sum;
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
