// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/run_queues/draws.h"

#include <algorithm>
#include <cmath>

namespace TEFF_NAMESPACE::apps {

namespace {

std::uint64_t place(std::uint64_t seed, std::uint64_t job, std::uint64_t part) {
  const auto mixed = [](std::uint64_t value) { return platform::random(value).next(); };
  return mixed(mixed(mixed(seed) + job) + part);
}

}  // namespace

stream::stream(std::uint64_t seed, std::uint64_t job, std::uint64_t part) : bits_(place(seed, job, part)) {}

double stream::fraction() {
  constexpr double step = 1.0 / (std::uint64_t{1} << 52);
  return (static_cast<double>(bits_.next() >> 12) + 0.5) * step;
}

double stream::exponential(double mean) { return -mean * std::log(fraction()); }

std::uint32_t stream::whole_exponential(double mean) {
  if (mean <= 1) return 1;
  const double drawn = std::ceil(exponential(-1 / std::log(1 - 1 / mean)));
  return static_cast<std::uint32_t>(std::clamp(drawn, 1.0, 4e9));
}

double stream::erlang(unsigned stages, double mean_of_stage) {
  double sum = 0;
  for (unsigned each = 0; each < stages; ++each) sum += exponential(mean_of_stage);
  return sum;
}

double stream::varied(double mean, double coefficient_of_variation) {
  const double square = coefficient_of_variation * coefficient_of_variation;
  if (square == 1) return exponential(mean);
  if (square > 1) {
    const double likely = (1 + std::sqrt((square - 1) / (square + 1))) / 2;
    const double chosen = fraction() < likely ? likely : 1 - likely;
    return exponential(mean / (2 * chosen));
  }
  // Below this the mixture has more than a thousand stages, and no run sees the difference.
  if (square < 1e-3) return mean;
  const double stages = std::ceil(1 / square);
  const double fewer = (stages * square - std::sqrt(stages * (1 + square) - stages * stages * square)) / (1 + square);
  const double mean_of_stage = mean / (stages - fewer);
  return erlang(static_cast<unsigned>(stages) - (fraction() < fewer ? 1 : 0), mean_of_stage);
}

}  // namespace TEFF_NAMESPACE::apps
