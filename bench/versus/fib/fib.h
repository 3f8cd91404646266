// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The Fibonacci numbers by their definition, without a cut-off: each call offers one of its two calls as a task. All of it is
/// overhead.
#pragma once

#include "../common/harness.h"

#include <utility>

namespace versus {

struct fib {
  static constexpr const char* name = "fib";
  static constexpr const char* unit = "call";

  std::uint64_t n = 37;
  std::uint64_t result = 0;

  std::vector<number> numbers() { return {{"n", &n, 0, 45}}; }
  void make_small() { n = 22; }
  void prepare() { result = 0; }
  std::uint64_t units() const { return 2 * by_recurrence(n + 1) - 1; }
  std::uint64_t data_bytes() const { return 0; }
  std::string verify() const {
    const std::uint64_t right = by_recurrence(n);
    return result == right
               ? ""
               : "fib(" + std::to_string(n) + ") gave " + std::to_string(result) + " instead of " + std::to_string(right);
  }

 private:
  static std::uint64_t by_recurrence(std::uint64_t n) {
    std::uint64_t before = 1, now = 0;
    for (; n > 0; --n) before = std::exchange(now, now + before);
    return now;
  }
};

}  // namespace versus
