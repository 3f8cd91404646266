// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "reduce.h"

namespace {

struct program : versus::serial_runtime {
  using problem = versus::reduce;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    for (double& sum : of.sums) sum = problem::sum_serially(of.data.data(), of.data.data() + of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
