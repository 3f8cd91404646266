// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "fib.h"

namespace {

/// Lace makes a task of a function by a macro, which knows no templates: so there are two.
#define VERSUS_FIB(NAME, COUNTED)                       \
  TASK_1(std::uint64_t, NAME, std::uint64_t, n) {       \
    versus::count_task<COUNTED>();                      \
    if (n < 2) return n;                                \
    SPAWN(NAME, n - 2);                                 \
    const std::uint64_t one_before = CALL(NAME, n - 1); \
    const std::uint64_t two_before = SYNC(NAME);        \
    return one_before + two_before;                     \
  }
VERSUS_FIB(fib_timed, false)
VERSUS_FIB(fib_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::fib;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = Counted ? RUN(fib_counted, of.n) : RUN(fib_timed, of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
