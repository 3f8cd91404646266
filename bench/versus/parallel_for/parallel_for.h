// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A loop over an array of 40 MB, several times one after the other: each element is replaced by another number.
#pragma once

#include "../common/harness.h"
#include "../common/mixed.h"

namespace versus {

struct parallel_for {
  static constexpr const char* name = "parallel_for";
  static constexpr const char* unit = "element";

  std::uint64_t n = 5'000'000, sweeps = 10;
  /// Elements that are not divided any more, where a runtime has to be told.
  static constexpr std::uint64_t grain = 4096;
  std::vector<std::uint64_t> data;

  static void visit(std::uint64_t& element) { element = mixed(element); }
  static void visit(std::uint64_t* begin, std::uint64_t* end) {
    for (; begin != end; ++begin) visit(*begin);
  }

  std::vector<number> numbers() { return {{"n", &n, 0, 1'000'000'000}, {"sweeps", &sweeps, 1, 1'000'000}}; }
  void make_small() { n = 100'000; }
  void prepare() {
    data.resize(n);
    for (std::uint64_t i = 0; i < n; ++i) data[i] = i;
  }
  std::uint64_t units() const { return n * sweeps; }
  std::uint64_t data_bytes() const { return n * sizeof(std::uint64_t); }
  std::string verify() const {
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint64_t right = i;
      for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) visit(right);
      if (data[i] != right)
        return "element " + std::to_string(i) + " is " + std::to_string(data[i]) + " instead of " + std::to_string(right);
    }
    return "";
  }
};

}  // namespace versus
