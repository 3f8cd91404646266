// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "wake.h"

namespace {

/// What others may take is the rest of who forks.
constexpr auto trial = [](auto, versus::wake* of) LF_STATIC_CALL -> lf::task<> {
  constexpr auto compute = [](auto, const versus::wake* of) LF_STATIC_CALL -> lf::task<> {
    of->compute_meanwhile();
    co_return;
  };
  of->offer();
  co_await lf::fork(compute)(of);
  of->begin();
  co_await lf::join;
};

struct program : versus::libfork_runtime {
  using problem = versus::wake;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    wait_for(trial, &of);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
