// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "fib.h"

namespace {

template <bool Counted>
std::uint64_t by_context(teff::context& here, std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  const auto [one_before, two_before] = teff::join(
      here, [n](teff::context& own) { return by_context<Counted>(own, n - 1); },
      [n](teff::context& own) { return by_context<Counted>(own, n - 2); });
  return one_before + two_before;
}

template <bool Counted>
std::uint64_t by_join(std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  const auto [one_before, two_before] =
      teff::join([n] { return by_join<Counted>(n - 1); }, [n] { return by_join<Counted>(n - 2); });
  return one_before + two_before;
}

template <bool Counted>
std::uint64_t by_group(teff::context& here, std::uint64_t n) {
  versus::count_task<Counted>();
  if (n < 2) return n;
  std::uint64_t two_before = 0;
  teff::task_group offered;
  offered.put(here, [n, &two_before](teff::context& own) { two_before = by_group<Counted>(own, n - 2); });
  const std::uint64_t one_before = by_group<Counted>(here, n - 1);
  offered.wait(here);
  return one_before + two_before;
}

struct program : versus::teff_runtime {
  using problem = versus::fib;
  using teff_runtime::teff_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = teff::default_team::call([&](teff::context& here) {
      if (form == "context") return by_context<Counted>(here, of.n);
      return form == "join" ? by_join<Counted>(of.n) : by_group<Counted>(here, of.n);
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
