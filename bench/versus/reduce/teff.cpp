// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "reduce.h"

namespace {

struct program : versus::teff_runtime {
  using problem = versus::reduce;
  using teff_runtime::teff_runtime;

  /// With the context of the calling task; without, from a thread that is no worker.
  static constexpr const char* forms[] = {"context", "plain"};

  template <bool Counted>
  void run(problem& of) {
    const auto value = [](double element) {
      versus::count_task<Counted>();
      return element;
    };
    if (form == "plain") {
      for (double& sum : of.sums) sum = teff::parallel_reduce(of.data, 0.0, value, std::plus<>());
      return;
    }
    teff::default_team::call([&](teff::context& here) {
      for (double& sum : of.sums) sum = teff::parallel_reduce(here, of.data, 0.0, value, std::plus<>());
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
