// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "parallel_for.h"

namespace {

struct program : versus::teff_runtime {
  using problem = versus::parallel_for;
  using teff_runtime::teff_runtime;

  /// With the context of the calling task; without, from a thread that is no worker.
  static constexpr const char* forms[] = {"context", "plain"};

  template <bool Counted>
  void run(problem& of) {
    const auto visit = [](std::uint64_t& element) {
      versus::count_task<Counted>();
      problem::visit(element);
    };
    if (form == "plain") {
      for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) teff::parallel_for(of.data, visit);
      return;
    }
    teff::default_team::call([&](teff::context& here) {
      for (std::uint64_t sweep = 0; sweep < of.sweeps; ++sweep) teff::parallel_for(here, of.data, visit);
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
