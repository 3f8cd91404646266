// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Quicksort of random integers: each part above the threshold is cut in two by one task; a smaller one is sorted at once.
#pragma once

#include "../common/harness.h"
#include "../common/kernels.h"
#include "../common/mixed.h"

namespace versus {

struct part {
  std::int64_t *begin, *end;
};

struct cut {
  part low, high;
};

inline bool is_to_be_cut(const part& some, std::uint64_t threshold) {
  return static_cast<std::uint64_t>(some.end - some.begin) > threshold;
}

inline cut cut_in_two(const part& some) {
  cut made{{some.begin, nullptr}, {nullptr, some.end}};
  versus_partition(some.begin, some.end, &made.low.end, &made.high.begin);
  return made;
}

inline void sort_at_once(const part& some) { versus_sort(some.begin, some.end); }

struct quicksort {
  static constexpr const char* name = "quicksort";
  static constexpr const char* unit = "integer";

  std::uint64_t n = 10'000'000, threshold = 1'000;
  std::vector<std::int64_t> data;
  std::uint64_t checksum = 0;

  part whole() { return {data.data(), data.data() + data.size()}; }
  std::vector<number> numbers() { return {{"n", &n, 0, 1'000'000'000}, {"threshold", &threshold, 1, 1'000'000'000}}; }
  void make_small() { n = 100'000; }
  void prepare() {
    data.resize(n);
    for (std::uint64_t i = 0; i < n; ++i) data[i] = static_cast<std::int64_t>(mixed(i));
    checksum = sum_of_mixed();
  }
  std::uint64_t units() const { return n; }
  std::uint64_t data_bytes() const { return n * sizeof(std::int64_t); }
  std::string verify() const {
    if (!std::is_sorted(data.begin(), data.end())) return "the integers are not sorted";
    return sum_of_mixed() == checksum ? "" : "the integers are sorted, but they are others";
  }

 private:
  /// The same for the same integers in any order.
  std::uint64_t sum_of_mixed() const {
    std::uint64_t sum = 0;
    for (const std::int64_t each : data) sum += mixed(static_cast<std::uint64_t>(each));
    return sum;
  }
};

}  // namespace versus
