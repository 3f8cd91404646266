// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "nqueens.h"

namespace {

template <bool Counted>
std::uint64_t by_context(teff::context& here, const versus::board& from, unsigned row, unsigned n);

/// Solutions below the boards from `begin` to `end` - 1.
template <bool Counted>
std::uint64_t below_by_context(teff::context& here, const versus::next_boards& next, unsigned begin, unsigned end, unsigned row,
                               unsigned n) {
  if (end - begin == 1) return by_context<Counted>(here, next[begin], row, n);
  const unsigned middle = begin + (end - begin) / 2;
  const auto [left, right] = teff::join(
      here, [&](teff::context& own) { return below_by_context<Counted>(own, next, begin, middle, row, n); },
      [&](teff::context& own) { return below_by_context<Counted>(own, next, middle, end, row, n); });
  return left + right;
}

template <bool Counted>
std::uint64_t by_context(teff::context& here, const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  return next.size() == 0 ? 0 : below_by_context<Counted>(here, next, 0, next.size(), row + 1, n);
}

template <bool Counted>
std::uint64_t by_join(const versus::board& from, unsigned row, unsigned n);

template <bool Counted>
std::uint64_t below_by_join(const versus::next_boards& next, unsigned begin, unsigned end, unsigned row, unsigned n) {
  if (end - begin == 1) return by_join<Counted>(next[begin], row, n);
  const unsigned middle = begin + (end - begin) / 2;
  const auto [left, right] = teff::join([&] { return below_by_join<Counted>(next, begin, middle, row, n); },
                                        [&] { return below_by_join<Counted>(next, middle, end, row, n); });
  return left + right;
}

template <bool Counted>
std::uint64_t by_join(const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  return next.size() == 0 ? 0 : below_by_join<Counted>(next, 0, next.size(), row + 1, n);
}

template <bool Counted>
std::uint64_t by_group(teff::context& here, const versus::board& from, unsigned row, unsigned n) {
  versus::count_task<Counted>();
  if (row == n) return 1;
  const versus::next_boards next(from, row, n);
  std::uint64_t parts[versus::queens_at_most] = {};
  teff::task_group all;
  for (unsigned i = 0; i < next.size(); ++i)
    all.put(here,
              [&next, &part = parts[i], i, row, n](teff::context& own) { part = by_group<Counted>(own, next[i], row + 1, n); });
  all.wait(here);
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

struct program : versus::teff_runtime {
  using problem = versus::nqueens;
  using teff_runtime::teff_runtime;

  template <bool Counted>
  void run(problem& of) {
    const unsigned n = of.queens();
    of.result = teff::default_team::call([&](teff::context& here) {
      if (form == "context") return by_context<Counted>(here, {}, 0, n);
      return form == "join" ? by_join<Counted>({}, 0, n) : by_group<Counted>(here, {}, 0, n);
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
