// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "quicksort.h"

namespace {

template <bool Counted>
void by_context(teff::context& here, const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  teff::join(
      here, [&](teff::context& own) { by_context<Counted>(own, parts.low, threshold); },
      [&](teff::context& own) { by_context<Counted>(own, parts.high, threshold); });
}

template <bool Counted>
void by_join(const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  teff::join([&] { by_join<Counted>(parts.low, threshold); }, [&] { by_join<Counted>(parts.high, threshold); });
}

template <bool Counted>
void by_group(teff::context& here, const versus::part& some, std::uint64_t threshold) {
  versus::count_task<Counted>();
  if (!is_to_be_cut(some, threshold)) return sort_at_once(some);
  const versus::cut parts = cut_in_two(some);
  teff::task_group offered;
  offered.put(here, [&](teff::context& own) { by_group<Counted>(own, parts.high, threshold); });
  by_group<Counted>(here, parts.low, threshold);
  offered.wait(here);
}

struct program : versus::teff_runtime {
  using problem = versus::quicksort;
  using teff_runtime::teff_runtime;

  template <bool Counted>
  void run(problem& of) {
    teff::default_team::call([&](teff::context& here) {
      if (form == "context") by_context<Counted>(here, of.whole(), of.threshold);
      else if (form == "join") by_join<Counted>(of.whole(), of.threshold);
      else by_group<Counted>(here, of.whole(), of.threshold);
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
