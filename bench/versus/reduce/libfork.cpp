// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "reduce.h"

namespace {

/// By forks: its own lf::fold is refused by g++ 12.
template <bool Counted>
constexpr auto sum_of = [](auto self, const double* begin, const double* end) LF_STATIC_CALL -> lf::task<double> {
  const auto count = static_cast<std::uint64_t>(end - begin);
  if (count <= versus::reduce::grain) {
    for (std::uint64_t i = 0; i < count; ++i) versus::count_task<Counted>();
    co_return versus::reduce::sum_serially(begin, end);
  }
  double left = 0, right = 0;
  co_await lf::fork(&left, self)(begin, begin + count / 2);
  co_await lf::call(&right, self)(begin + count / 2, end);
  co_await lf::join;
  co_return left + right;
};

struct program : versus::libfork_runtime {
  using problem = versus::reduce;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    const double* const begin = of.data.data();
    for (double& sum : of.sums) sum = wait_for(sum_of<Counted>, begin, begin + of.data.size());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
