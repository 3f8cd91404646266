// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One task that puts very many others in a loop: the memory that this takes, and the time.
/// usage: spawn_loop [WORKERS [TASKS]]    prints MiB at the peak and ns per task; workers 2, tasks 50,000,000
#include "teff/teff.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

constexpr double mib_at_most = 100;

/// Returns: the most memory that the process has had, in MiB.
double peak_mib() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

int run(unsigned workers, std::uint64_t tasks) {
  struct alignas(64) cell {
    std::uint64_t ran = 0;
  };
  std::vector<cell> cells(workers);
  team on({.workers = workers});
  on.init([&](context& here) {
    for (std::uint64_t i = 0; i < tasks; ++i) here.put([&](context& own) { ++cells[own.worker_id()].ran; });
  });
  const auto begin = std::chrono::steady_clock::now();
  on.run();
  const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  std::uint64_t ran = 0;
  for (const cell& each : cells) ran += each.ran;
  if (ran != tasks) {
    std::printf("%llu of %llu tasks ran\n", static_cast<unsigned long long>(ran), static_cast<unsigned long long>(tasks));
    return EXIT_FAILURE;
  }
  const double mib = peak_mib();
  std::printf("%llu tasks on %u workers: %.0f MiB at the peak, %.1f ns per task; %llu waited at most, %llu ran first\n",
              static_cast<unsigned long long>(tasks), on.workers(), mib, ns / static_cast<double>(tasks),
              static_cast<unsigned long long>(on.stats().peak_live_tasks),
              static_cast<unsigned long long>(on.stats().value("run_first")));
  return mib <= mib_at_most ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main(int count, char** words) {
  const long workers = count > 1 ? std::atol(words[1]) : 2, tasks = count > 2 ? std::atol(words[2]) : 50'000'000;
  if (workers < 1 || tasks < 1) {
    std::fprintf(stderr, "usage: spawn_loop [WORKERS [TASKS]], both 1 or more\n");
    return EXIT_FAILURE;
  }
  return teff::run(static_cast<unsigned>(workers), static_cast<std::uint64_t>(tasks));
}
