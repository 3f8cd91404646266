// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "parallel_for.h"

namespace {

struct program : versus::serial_runtime {
  using problem = versus::parallel_for;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) problem::visit(of.data.data(), of.data.data() + of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
