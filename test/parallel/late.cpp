// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls from constructors and destructors of static objects, before and after main. usage: late [main]: main calls, too.
#include "teff/parallel.hpp"

#include <cstdio>
#include <functional>
#include <vector>

namespace {

unsigned sum_below(unsigned size) {
  return teff::parallel_reduce(0u, size, 0u, [](unsigned i) { return i; }, std::plus<>());
}

struct caller {
  const char* name;
  bool early;

  caller(const char* of, bool calls) : name(of), early(calls) {
    if (early) std::printf("%s begins: %u\n", name, sum_below(100));
  }
  ~caller() {
    const auto [sum, text] = teff::join([] { return sum_below(1000); }, [] { return std::vector<char>(10, 'x'); });
    std::printf("%s ends: %u\n", name, sum + static_cast<unsigned>(text.size()));
  }
};

// The first is destroyed after what its successor's constructor made the library register for the end.
caller first("first", false);
caller second("second", true);

}  // namespace

int main(int count, char**) {
  static caller third("third", false);
  if (count > 1) std::printf("main: %u\n", sum_below(10));
  return 0;
}
