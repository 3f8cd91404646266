// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "quicksort.h"

namespace {

template <bool Counted>
void sort(tf::Executor& executor, const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  tf::TaskGroup offered = executor.task_group();
  offered.silent_async([&] { sort<Counted>(executor, parts.high, threshold); });
  sort<Counted>(executor, parts.low, threshold);
  offered.corun();
}

struct program : versus::taskflow_runtime {
  using problem = versus::quicksort;
  using taskflow_runtime::taskflow_runtime;

  template <bool Counted>
  void run(problem& of) {
    in_task([&] { sort<Counted>(executor, of.whole(), of.threshold); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
