// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "parallel_for.h"

namespace {

#define VERSUS_LOOP(NAME, COUNTED)                                                                                               \
  VOID_TASK_2(NAME, std::uint64_t*, begin, std::uint64_t*, end) {                                                                \
    versus::count_task<COUNTED>();                                                                                               \
    if (end - begin <= static_cast<std::ptrdiff_t>(versus::parallel_for::grain)) return versus::parallel_for::visit(begin, end); \
    std::uint64_t* const middle = begin + (end - begin) / 2;                                                                     \
    SPAWN(NAME, middle, end);                                                                                                    \
    CALL(NAME, begin, middle);                                                                                                   \
    SYNC(NAME);                                                                                                                  \
  }
VERSUS_LOOP(loop_timed, false)
VERSUS_LOOP(loop_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::parallel_for;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    std::uint64_t *const begin = of.data.data(), *const end = begin + of.n;
    for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) {
      if (Counted) RUN(loop_counted, begin, end);
      else RUN(loop_timed, begin, end);
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
