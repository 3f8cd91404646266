// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "synthetic.h"

namespace {

void run_a(tf::Executor& executor, int i, std::uint64_t f) {
  versus::note(i);
  if (i > 0) {
    versus::compute(10 * f);
    executor.silent_async([&executor, i, f] { run_a(executor, i - 2, f); });
    versus::compute(50 * f);
    executor.silent_async([&executor, i, f] { run_a(executor, i - 1, f); });
  }
  versus::compute(100 * f);
}

struct program : versus::taskflow_runtime {
  using problem = versus::synthetic;
  using taskflow_runtime::taskflow_runtime;

  static constexpr const char* forms[] = {"silent_async"};

  template <bool Counted>
  void run(problem& of) {
    for (int i = static_cast<int>(of.k) - 1; i >= 0; --i) executor.silent_async([this, i, f = of.f] { run_a(executor, i, f); });
    executor.wait_for_all();
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
