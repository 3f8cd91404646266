// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The serial program: what the speed-ups refer to.
#include "../runtimes/serial.h"
#include "quicksort.h"

namespace {

void sort(const versus::part& some, std::uint64_t threshold) {
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  sort(parts.low, threshold);
  sort(parts.high, threshold);
}

struct program : versus::serial_runtime {
  using problem = versus::quicksort;
  using serial_runtime::serial_runtime;

  template <bool Counted>
  void run(problem& of) {
    sort(of.whole(), of.threshold);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
