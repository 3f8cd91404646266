// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/scale.h"

#include <cmath>

namespace teff::report {

namespace {

/// What rounding may add: a tick at the very end of the range is within it.
constexpr double slack = 1e-9;

/// Returns: the smallest of 1, 2, 5, 10, … (or of their tenths, hundredths, …) that is no smaller than `value`. Pre: positive.
double round_step(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double each : {1.0, 2.0, 5.0}) {
    if (each * power >= value * (1 - slack)) return each * power;
  }
  return 10 * power;
}

}  // namespace

scale::scale(kind how, double least, double most, double from, double to)
    : how_(how), least_(least), most_(most), from_(from), to_(to) {}

double scale::evenly(double value) const { return how_ == kind::logarithmic ? std::log2(value) : value; }

double scale::place(double value) const {
  const double range = evenly(most_) - evenly(least_);
  const double share = range > 0 ? (evenly(value) - evenly(least_)) / range : 0.5;
  return from_ + share * (to_ - from_);
}

std::vector<double> scale::ticks(std::size_t at_most) const {
  const double first = evenly(least_), last = evenly(most_);
  if (first >= last) return {least_};
  const double least_step = (last - first) / static_cast<double>(at_most - 1);
  const double step = how_ == kind::logarithmic ? std::ceil(least_step - slack) : round_step(least_step);
  std::vector<double> values;
  const double margin = slack * (last - first);
  // Adding zero: rounding up gives a negative one.
  for (double count = std::ceil((first - margin) / step) + 0.0; count * step <= last + margin; ++count)
    values.push_back(how_ == kind::logarithmic ? std::exp2(count * step) : count * step);
  return values;
}

}  // namespace teff::report
