// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "synthetic.h"

namespace {

constexpr auto run_a = [](auto self, int i, std::uint64_t f) LF_STATIC_CALL -> lf::task<> {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
    co_await lf::fork(self)(i - 2, f);
    versus::compute(50 * f);
    co_await lf::fork(self)(i - 1, f);
  }
  versus::compute(100 * f);
  co_await lf::join;
};

constexpr auto run_all = [](auto, int k, std::uint64_t f) LF_STATIC_CALL -> lf::task<> {
  for (int i = k - 1; i >= 0; --i) co_await lf::fork(run_a)(i, f);
  co_await lf::join;
};

struct program : versus::libfork_runtime {
  using problem = versus::synthetic;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    wait_for(run_all, static_cast<int>(of.k), of.f);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
