// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "teff/teff.hpp"

#include <atomic>
#include <cstdio>

std::atomic<int> leaves{0};

void split(teff::context& here, int depth) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  for (int child = 0; child < 2; ++child) here.put([depth](teff::context& c) { split(c, depth - 1); });
}

int main() {
  teff::team team;
  team.init([](teff::context& c) { split(c, 16); });
  team.run();
  std::printf("%d leaves on %u workers\n", leaves.load(), team.workers());
}
