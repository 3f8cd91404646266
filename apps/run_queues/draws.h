// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The random numbers of a job.
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::apps {

/// A stream of random numbers from a seed and two numbers that say whose it is: so a job has the same numbers in every run,
/// whatever the others do, and runs of two organisations can be compared job by job.
///
/// The generator is the platform's, whose state is 64 bits: streams begin at random places of its period, so that two of them
/// overlap about never.
class stream {
 public:
  stream(std::uint64_t seed, std::uint64_t job, std::uint64_t part);

  /// Returns: a number in (0, 1).
  double fraction();
  /// Returns: a number in (least, most).
  double between(double least, double most) { return least + (most - least) * fraction(); }
  /// Returns: one of 1 … most, each as likely. Pre: 0 < most < 2^32.
  std::uint32_t whole_up_to(std::uint32_t most) { return 1 + bits_.below(most); }
  /// Returns: at least 1; exponentially distributed but for being whole (a geometric distribution). Pre: mean ≥ 1.
  std::uint32_t whole_exponential(double mean);
  double exponential(double mean);
  /// Returns: a number above 0 with that mean and coefficient of variation: exponential for 1, constant for 0; between them a
  /// mixture of two Erlang distributions, above them of two exponential ones with balanced means (Tijms 1986, appendix B). Where
  /// the coefficient alone is given, as in Dandamudi & Cheng (1996, §3), these are the usual choices.
  double varied(double mean, double coefficient_of_variation);

 private:
  double erlang(unsigned stages, double mean_of_stage);

  platform::random bits_;
};

}  // namespace TEFF_NAMESPACE::apps
