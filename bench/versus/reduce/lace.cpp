// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "reduce.h"

namespace {

#define VERSUS_SUM(NAME, COUNTED)                                                                                           \
  TASK_2(double, NAME, const double*, begin, const double*, end) {                                                          \
    versus::count_task<COUNTED>();                                                                                          \
    if (end - begin <= static_cast<std::ptrdiff_t>(versus::reduce::grain)) return versus::reduce::sum_serially(begin, end); \
    const double* const middle = begin + (end - begin) / 2;                                                                 \
    SPAWN(NAME, middle, end);                                                                                               \
    const double left = CALL(NAME, begin, middle);                                                                          \
    return left + SYNC(NAME);                                                                                               \
  }
VERSUS_SUM(sum_timed, false)
VERSUS_SUM(sum_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::reduce;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    const double *const begin = of.data.data(), *const end = begin + of.n;
    for (double& sum : of.sums) sum = Counted ? RUN(sum_counted, begin, end) : RUN(sum_timed, begin, end);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
