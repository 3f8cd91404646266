// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "uts.h"

namespace {

struct program : versus::serial_runtime {
  using problem = versus::uts;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = versus::count_serially(of.root(), of.shape());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
