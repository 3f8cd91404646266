// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "quicksort.h"

namespace {

template <bool Counted>
constexpr auto sort = [](auto self, versus::part some, std::uint64_t threshold) LF_STATIC_CALL -> lf::task<> {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) {
    sort_at_once(some);
    co_return;
  }
  const versus::cut parts = cut_in_two(some);
  co_await lf::fork(self)(parts.low, threshold);
  co_await lf::call(self)(parts.high, threshold);
  co_await lf::join;
};

struct program : versus::libfork_runtime {
  using problem = versus::quicksort;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    wait_for(sort<Counted>, of.whole(), of.threshold);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
