// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "fib.h"

namespace {

template <bool Counted>
constexpr auto fib_of = [](auto self, std::uint64_t n) LF_STATIC_CALL -> lf::task<std::uint64_t> {
  versus::count_task<Counted>();
  if (n < 2) co_return n;
  std::uint64_t one_before = 0, two_before = 0;
  co_await lf::fork(&one_before, self)(n - 1);
  co_await lf::call(&two_before, self)(n - 2);
  co_await lf::join;
  co_return one_before + two_before;
};

struct program : versus::libfork_runtime {
  using problem = versus::fib;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = wait_for(fib_of<Counted>, of.n);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
