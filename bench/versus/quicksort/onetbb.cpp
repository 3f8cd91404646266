// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/onetbb.h"
#include "quicksort.h"

namespace {

template <bool Counted>
void sort(const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  tbb::task_group offered;
  offered.run([&] { sort<Counted>(parts.high, threshold); });
  sort<Counted>(parts.low, threshold);
  offered.wait();
}

struct program : versus::onetbb_runtime {
  using problem = versus::quicksort;
  using onetbb_runtime::onetbb_runtime;

  template <bool Counted>
  void run(problem& of) {
    arena.execute([&] { sort<Counted>(of.whole(), of.threshold); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
