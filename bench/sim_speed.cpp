// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many atomic operations the simulator executes in a second of real time: every processor adds to a line of its own and,
/// every fourth time, to one that all share.
#include "base/cache_line.h"
#include "platform/platform.h"
#include "sim/sim.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

constexpr std::uint64_t operations_per_run = 4'000'000;

struct alignas(cache_line_bytes) own_line {
  platform::atomic<std::uint64_t> count{0};
};

struct alignas(cache_line_bytes) counting {
  platform::atomic<std::uint64_t> shared{0};
  std::uint64_t rounds = 0;

  /// Pre: four operations a round.
  static void run(void* pointer) {
    auto& all = *static_cast<counting*>(pointer);
    own_line mine;
    for (std::uint64_t i = 0; i < all.rounds; ++i) {
      for (int own = 0; own < 3; ++own) mine.count.fetch_add(1, platform::relaxed);
      all.shared.fetch_add(1, platform::relaxed);
    }
  }
};

/// Returns: operations a second. A wrong count ends the program.
double measure(unsigned processors, sim::strategy strategy) {
  counting all;
  all.rounds = operations_per_run / 4 / processors;
  sim::options wanted;
  wanted.processors_at_most = processors;
  wanted.strategy = strategy;
  const auto begin = std::chrono::steady_clock::now();
  const sim::outcome ended = sim::simulate(wanted, [&] {
    std::vector<platform::thread> others(processors - 1);
    for (unsigned i = 0; i < others.size(); ++i) {
      const unsigned place = i + 1;
      if (!others[i].start(counting::run, &all, {&place, 1})) std::abort();
    }
    counting::run(&all);
    for (auto& other : others) other.join();
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!ended.ok() || all.shared.load(platform::relaxed) != all.rounds * processors) {
    std::fprintf(stderr, "sim_speed: wrong count with %u processors\n%s", processors, ended.report.c_str());
    std::exit(1);
  }
  return static_cast<double>(all.rounds * 4 * processors) / seconds.count();
}

double median_of_five(unsigned processors, sim::strategy strategy) {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(measure(processors, strategy));
  std::sort(samples.begin(), samples.end());
  return samples[2];
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main() {
  using namespace teff;
  std::printf("simulated atomic operations per second, in millions (median of 5)\nprocessors  virtual time  random\n");
  for (const unsigned processors : {1u, 8u, 64u, 192u, 1024u}) {
    const double by_time = median_of_five(processors, sim::strategy::virtual_time);
    const double at_random = median_of_five(processors, sim::strategy::random);
    std::printf("%10u  %12.1f  %6.1f\n", processors, by_time / 1e6, at_random / 1e6);
  }
}
