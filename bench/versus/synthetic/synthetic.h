// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The synthetic algorithm P(k) of Korch & Rauber (2002, section 7.2): apps/synthetic/README.md. With f = 0 its tasks are empty.
///
/// Nobody waits for a task but the end of the run: fire and forget, where a runtime has that. Where it has only forks that are
/// joined, a task waits for its two children after it has computed.
#pragma once

#include "../common/harness.h"
#include "../common/kernels.h"

namespace versus {

inline void compute(std::uint64_t units) {
  if (units != 0) versus_charge(units);
}

/// Effect: says that A(i) has run. Always counted: it is how the result is verified. At the beginning of a task.
inline void note(int i) {
  tally& own = own_tally();
  const auto argument = static_cast<std::uint64_t>(i + 2);
  ++own.tasks;
  own.checksum += argument * argument * 0x9E3779B97F4A7C15u + 1;
}

struct synthetic {
  static constexpr const char* name = "synthetic";
  static constexpr const char* unit = "task";

  std::uint64_t k = 30, f = 0;

  std::vector<number> numbers() { return {{"k", &k, 1, 45}, {"f", &f, 0, 1'000'000}}; }
  void make_small() { k = 18; }
  void prepare() {}
  std::uint64_t units() const { return expected().tasks; }
  std::uint64_t data_bytes() const { return 0; }
  std::string verify() const {
    const tally right = expected(), ran = sum_of_tallies();
    if (ran.tasks != right.tasks) return std::to_string(ran.tasks) + " tasks ran instead of " + std::to_string(right.tasks);
    return ran.checksum == right.checksum ? "" : "the right number of tasks ran, but not the right tasks";
  }

 private:
  /// What P(k) leaves, by the recurrence of A(i): of what A(i - 1) and A(i - 2) leave.
  tally expected() const {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
    tally two_before{1, factor + 1}, one_before{1, 4 * factor + 1}, sum = one_before;
    for (std::uint64_t i = 1; i < k; ++i) {
      const tally own{1 + one_before.tasks + two_before.tasks,
                      one_before.checksum + two_before.checksum + (i + 2) * (i + 2) * factor + 1};
      sum.tasks += own.tasks;
      sum.checksum += own.checksum;
      two_before = one_before;
      one_before = own;
    }
    return sum;
  }
};

}  // namespace versus
