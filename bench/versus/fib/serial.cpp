// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "fib.h"

namespace {

[[gnu::noinline]] std::uint64_t fib_of(std::uint64_t n) { return n < 2 ? n : fib_of(n - 1) + fib_of(n - 2); }

struct program : versus::serial_runtime {
  using problem = versus::fib;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = fib_of(of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
