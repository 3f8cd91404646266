// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "wake.h"

namespace {

struct program : versus::teff_runtime {
  using problem = versus::wake;
  using teff_runtime::teff_runtime;

  static constexpr const char* forms[] = {"context"};

  template <bool Counted>
  void run(problem& of) {
    teff::default_team::call([&](teff::context& here) {
      of.offer();
      teff::join(here, [&] { of.compute_meanwhile(); }, [&] { of.begin(); });
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
