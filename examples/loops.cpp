// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, reductions and calls in parallel: no team to make.
#include "teff/parallel.hpp"

#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

unsigned long fib(teff::context& here, unsigned n) {
  if (n < 2) return n;
  const auto [one_before, two_before] =
      teff::join(here, [n](teff::context& own) { return fib(own, n - 1); }, [n](teff::context& own) { return fib(own, n - 2); });
  return one_before + two_before;
}

int main() {
  std::vector<double> numbers(1'000'000);
  teff::parallel_for(std::size_t{0}, numbers.size(), [&](std::size_t i) { numbers[i] = std::sqrt(static_cast<double>(i)); });
  const double sum = teff::parallel_reduce(numbers, 0.0, std::identity(), std::plus<>());
  const auto [number] = teff::join([](teff::context& here) { return fib(here, 20); });
  std::printf("sum %.3f, fib(20) %lu, %u workers\n", sum, number, teff::default_team::workers());
}
