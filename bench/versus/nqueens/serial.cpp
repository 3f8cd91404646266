// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "nqueens.h"

namespace {

std::uint64_t solutions(const versus::board& from, unsigned row, unsigned n) {
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < next.size(); ++i) sum += solutions(next[i], row + 1, n);
  return sum;
}

struct program : versus::serial_runtime {
  using problem = versus::nqueens;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = solutions({}, 0, of.queens());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
