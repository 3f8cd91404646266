// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sum of an array of 40 MB, several times one after the other. The numbers are whole and the sum fits 53 bits: it is the
/// same in any order.
#pragma once

#include "../common/harness.h"

namespace versus {

struct reduce {
  static constexpr const char* name = "reduce";
  static constexpr const char* unit = "element";

  std::uint64_t n = 5'000'000, sweeps = 20;
  /// Elements that are not divided any more, where a runtime has to be told.
  static constexpr std::uint64_t grain = 4096;
  std::vector<double> data;
  std::vector<double> sums;  ///< of each sweep

  static double sum_serially(const double* begin, const double* end) {
    double sum = 0;
    for (; begin != end; ++begin) sum += *begin;
    return sum;
  }

  std::vector<number> numbers() { return {{"n", &n, 0, 100'000'000}, {"sweeps", &sweeps, 1, 1'000'000}}; }
  void make_small() { n = 100'000; }
  void prepare() {
    sums.assign(sweeps, -1);
    if (data.size() == n) return;
    data.resize(n);
    for (std::uint64_t i = 0; i < n; ++i) data[i] = static_cast<double>(i % 1009);
  }
  std::uint64_t units() const { return n * sweeps; }
  std::uint64_t data_bytes() const { return n * sizeof(double); }
  std::string verify() const {
    const double right = sum_serially(data.data(), data.data() + data.size());
    for (const double sum : sums) {
      if (sum != right) return "a sum is " + std::to_string(sum) + " instead of " + std::to_string(right);
    }
    return "";
  }
};

}  // namespace versus
