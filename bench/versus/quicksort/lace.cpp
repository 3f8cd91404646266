// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "quicksort.h"

namespace {

#define VERSUS_SORT(NAME, COUNTED)                                                        \
  VOID_TASK_3(NAME, std::int64_t*, begin, std::int64_t*, end, std::uint64_t, threshold) { \
    versus::count_task<COUNTED>();                                                        \
    const versus::part some{begin, end};                                                  \
    if (!is_to_be_cut(some, threshold)) return sort_at_once(some);                        \
    const versus::cut parts = cut_in_two(some);                                           \
    SPAWN(NAME, parts.high.begin, parts.high.end, threshold);                             \
    CALL(NAME, parts.low.begin, parts.low.end, threshold);                                \
    SYNC(NAME);                                                                           \
  }
VERSUS_SORT(sort_timed, false)
VERSUS_SORT(sort_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::quicksort;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    const versus::part all = of.whole();
    if (Counted) RUN(sort_counted, all.begin, all.end, of.threshold);
    else RUN(sort_timed, all.begin, all.end, of.threshold);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
