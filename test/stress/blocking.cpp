// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Twenty thousand calls of a second each, all wanted at once: the process lives, and comes to its end.
///
/// usage: stress_blocking [CALLS]
#include "teff/teff.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

int main(int count, char** words) {
  const int calls = count > 1 ? std::atoi(words[1]) : 20'000;
  std::atomic<int> ended{0};
  teff::team on({.workers = 2});
  on.init([&](teff::context& here) {
    teff::task_group all;
    for (int call = 0; call < calls; ++call) {
      all.put(here, [&] {
        teff::blocking([] { std::this_thread::sleep_for(std::chrono::seconds(1)); });
        ended.fetch_add(1, std::memory_order_relaxed);
      });
    }
    all.wait(here);
  });
  on.run();
  std::printf("%d of %d calls ended\n", ended.load(), calls);
  return ended.load() == calls ? 0 : 1;
}
