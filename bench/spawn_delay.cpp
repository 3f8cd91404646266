// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How long tasks wait that a task spawned while all others slept, before it runs one long leaf: the last of 100 to begin.
/// usage: spawn_delay [WORKERS [TRIALS]]    prints percentiles in µs; workers 2, trials 1,000
#include "teff/teff.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

using clock = std::chrono::steady_clock;
constexpr unsigned tasks = 100;
/// After that long without work a worker has parked.
constexpr auto until_all_sleep = std::chrono::microseconds(300);
/// The leaf gives up: more than any percentile that is asked for.
constexpr auto leaf_at_most = std::chrono::milliseconds(100);

void spin_for(clock::duration time) {
  for (const auto end = clock::now() + time; clock::now() < end;) {
  }
}

/// Returns: µs until the last of the tasks began; negative if one did not during the leaf.
double trial(context& here) {
  std::array<std::atomic<clock::rep>, tasks> begun{};
  std::atomic<unsigned> left{tasks};
  spin_for(until_all_sleep);
  const auto spawned = clock::now();
  task_group all;
  for (unsigned i = 0; i < tasks; ++i) {
    all.put(here, [&, i] {
      begun[i].store((clock::now() - spawned).count(), std::memory_order_relaxed);
      left.fetch_sub(1, std::memory_order_release);
    });
  }
  while (left.load(std::memory_order_acquire) != 0 && clock::now() - spawned < leaf_at_most) {
  }
  const bool all_began = left.load(std::memory_order_acquire) == 0;
  all.wait(here);
  clock::rep last = 0;
  for (const auto& each : begun) last = std::max(last, each.load(std::memory_order_relaxed));
  return all_began ? std::chrono::duration<double, std::micro>(clock::duration(last)).count() : -1;
}

int run(unsigned workers, unsigned trials) {
  std::vector<double> delays;
  team on({.workers = workers});
  on.init([&](context& here) {
    for (unsigned i = 0; i < trials; ++i) delays.push_back(trial(here));
  });
  on.run();
  if (std::any_of(delays.begin(), delays.end(), [](double each) { return each < 0; })) {
    std::puts("a task did not begin while its creator ran one long leaf");
    return EXIT_FAILURE;
  }
  std::sort(delays.begin(), delays.end());
  const auto percentile = [&](double share) { return delays[static_cast<std::size_t>(share * static_cast<double>(trials - 1))]; };
  std::printf("%u trials, %u workers: 50 %% within %.0f us, 90 %% %.0f, 99 %% %.0f, all %.0f; forced %llu of %llu tasks\n",
              trials, on.workers(), percentile(0.5), percentile(0.9), percentile(0.99), delays.back(),
              static_cast<unsigned long long>(on.stats().value("forced")),
              static_cast<unsigned long long>(on.stats().value("puts")));
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main(int count, char** words) {
  const int workers = count > 1 ? std::atoi(words[1]) : 2, trials = count > 2 ? std::atoi(words[2]) : 1'000;
  if (workers < 2 || trials < 1) {
    std::fprintf(stderr, "usage: spawn_delay [WORKERS [TRIALS]], workers 2 or more, trials 1 or more\n");
    return EXIT_FAILURE;
  }
  return teff::run(static_cast<unsigned>(workers), static_cast<unsigned>(trials));
}
