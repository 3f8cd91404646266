// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "nqueens.h"

namespace {

template <bool Counted>
constexpr auto solutions = [](auto self, const versus::board& from, unsigned row, unsigned n)
                               LF_STATIC_CALL -> lf::task<std::uint64_t> {
  versus::count_task<Counted>();
  if (row == n) co_return 1;
  const versus::next_boards next(from, row, n);
  versus::board boards[versus::queens_at_most];
  std::uint64_t parts[versus::queens_at_most] = {};
  for (unsigned i = 0; i < next.size(); ++i) {
    boards[i] = next[i];
    co_await lf::fork(&parts[i], self)(boards[i], row + 1, n);
  }
  co_await lf::join;
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  co_return sum;
};

struct program : versus::libfork_runtime {
  using problem = versus::nqueens;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    const versus::board empty{};
    of.result = wait_for(solutions<Counted>, empty, 0u, of.queens());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
