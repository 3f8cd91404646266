// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "nqueens.h"

namespace {

#define VERSUS_QUEENS(NAME, COUNTED)                                                    \
  TASK_3(std::uint64_t, NAME, const versus::board*, from, unsigned, row, unsigned, n) { \
    versus::count_task<COUNTED>();                                                      \
    if (row == n) return 1;                                                             \
    const versus::next_boards next(*from, row, n);                                      \
    versus::board boards[versus::queens_at_most];                                       \
    for (unsigned i = 0; i < next.size(); ++i) {                                        \
      boards[i] = next[i];                                                              \
      SPAWN(NAME, &boards[i], row + 1, n);                                              \
    }                                                                                   \
    std::uint64_t sum = 0;                                                              \
    for (unsigned i = 0; i < next.size(); ++i) sum += SYNC(NAME);                       \
    return sum;                                                                         \
  }
VERSUS_QUEENS(queens_timed, false)
VERSUS_QUEENS(queens_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::nqueens;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    const versus::board empty{};
    of.result = Counted ? RUN(queens_counted, &empty, 0, of.queens()) : RUN(queens_timed, &empty, 0, of.queens());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
