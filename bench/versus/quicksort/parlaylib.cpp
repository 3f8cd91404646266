// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
#include "quicksort.h"

namespace {

template <bool Counted>
void sort(const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  parlay::par_do([&] { sort<Counted>(parts.low, threshold); }, [&] { sort<Counted>(parts.high, threshold); });
}

struct program : versus::parlaylib_runtime {
  using problem = versus::quicksort;
  using parlaylib_runtime::parlaylib_runtime;

  template <bool Counted>
  void run(problem& of) {
    sort<Counted>(of.whole(), of.threshold);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
