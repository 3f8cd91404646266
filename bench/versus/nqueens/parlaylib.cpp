// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "nqueens.h"

namespace {

template <bool Counted>
std::uint64_t solutions(const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t parts[versus::queens_at_most] = {};
  parlay::parallel_for(
      0, next.size(), [&](std::size_t i) { parts[i] = solutions<Counted>(next[static_cast<unsigned>(i)], row + 1, n); }, 1);
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

struct program : versus::parlaylib_runtime {
  using problem = versus::nqueens;
  using parlaylib_runtime::parlaylib_runtime;

  static constexpr const char* forms[] = {"parallel_for"};

  template <bool Counted>
  void run(problem& of) {
    of.result = solutions<Counted>({}, 0, of.queens());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
