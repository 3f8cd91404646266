// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much memory a blocked task takes: very many wait at once, on the smallest stacks, and go on in a random order.
/// usage: million_fibers [FIBERS]     1,000,000 without it; each touches two pages of 4 KiB
#include "teff/teff.hpp"

#include "test/fiber/setting_aside.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

using testing_fiber::gathering;

/// Returns: bytes of this process that are in memory; 0 if the system does not say.
std::uint64_t resident_bytes() {
  unsigned long long all = 0, resident = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"), &std::fclose);
  if (file == nullptr || std::fscanf(file.get(), "%llu %llu", &all, &resident) != 2) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What the tasks leave for the one that judges.
struct measured {
  std::uint64_t before = 0, blocked = 0;  ///< resident bytes
  double blocking = 0, going_on = 0;      ///< seconds
  std::uint64_t in_other_order = 0;       ///< tasks that went on after one that came later
  bool verified = false;
};

/// Effect: so many tasks wait for one another, then go on. Each notes its number, which has to be there once.
measured gather(context& here, std::uint64_t fibers) {
  measured found;
  gathering place(fibers);
  std::vector<std::uint32_t> order(fibers);
  platform::atomic<std::uint64_t> came{0}, went_on{0};
  found.before = resident_bytes();
  auto begin = std::chrono::steady_clock::now();
  task_group group;
  for (std::uint64_t task = 0; task < fibers; ++task) {
    group.put(here, [&](context& own) {
      const std::uint64_t number = came.fetch_add(1, platform::relaxed);
      if (number + 1 == fibers) {
        found.blocked = resident_bytes();
        found.blocking = seconds_since(begin);
        begin = std::chrono::steady_clock::now();
      }
      place.join(own);
      order[went_on.fetch_add(1, platform::relaxed)] = static_cast<std::uint32_t>(number);
    });
  }
  group.wait(here);
  found.going_on = seconds_since(begin);
  std::vector<bool> seen(fibers);
  std::uint64_t distinct = 0;
  for (std::uint64_t at = 0; at < fibers; ++at) {
    if (!seen[order[at]]) ++distinct;
    seen[order[at]] = true;
    if (at > 0 && order[at] < order[at - 1]) ++found.in_other_order;
  }
  found.verified = distinct == fibers && went_on.load(platform::relaxed) == fibers;
  return found;
}

int show(std::uint64_t fibers) {
  measured found;
  team workers({.pool = "sq4", .settings = {"stack=8K"}});
  workers.init([&](context& here) { found = gather(here, fibers); });
  workers.run();
  const std::uint64_t peak = workers.stats().peak_fibers;
  if (!found.verified || peak < fibers || found.in_other_order < fibers / 4) {
    std::fprintf(stderr, "million_fibers: wrong: %llu fibers at most, %llu tasks out of order\n",
                 static_cast<unsigned long long>(peak), static_cast<unsigned long long>(found.in_other_order));
    return 1;
  }
  std::printf(
      "%llu tasks blocked at once on stacks of 8 KiB: %.0f bytes of memory each; blocked in %.2f s, went on in a random order in "
      "%.2f s\n",
      static_cast<unsigned long long>(fibers), static_cast<double>(found.blocked - found.before) / static_cast<double>(fibers),
      found.blocking, found.going_on);
  return 0;
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main(int count, char** words) {
  const std::uint64_t fibers = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1'000'000;
  if (count > 2 || fibers < 2 || fibers > 100'000'000) {
    std::fprintf(stderr, "million_fibers: the number of fibers cannot be '%s'; allowed: one number, 2 … 100000000\n",
                 count > 1 ? words[1] : "");
    return 2;
  }
  return teff::show(fibers);
}
