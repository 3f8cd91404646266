// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plays scenes under many schedules of the simulator, and says which one found a fault first.
/// usage: openmp_schedules COUNT [SCENE [POOL]]; exit code 0: none has; 1: one has; 2: wrong words
#include "scenes.h"

#include <charconv>
#include <cstdio>
#include <cstring>

namespace TEFF_NAMESPACE::testing_openmp {
namespace {

/// Returns: whether the scene held on the pool.
bool holds(const scene& what, const char* pool, std::uint64_t count) {
  for (std::uint64_t schedule = 1; schedule <= count; ++schedule) {
    const std::string wrong = play({what, pool, schedule});
    if (wrong.empty()) continue;
    std::printf("%s on %s, schedule %llu: %s\n", what.name.data(), pool, static_cast<unsigned long long>(schedule),
                wrong.c_str());
    return false;
  }
  return true;
}

int run(int count, char** words) {
  std::uint64_t schedules = 0;
  const char* const number = count > 1 ? words[1] : "";
  if (count > 4 || std::from_chars(number, number + std::strlen(number), schedules).ec != std::errc{} || schedules == 0) {
    std::fprintf(stderr, "usage: openmp_schedules COUNT [SCENE [POOL]], with a COUNT from 1 on; not '%s'\n", number);
    return 2;
  }
  unsigned played = 0, failed = 0;
  for (const scene& each : scenes()) {
    if (count > 2 && each.name != words[2]) continue;
    for (const char* pool : pools) {
      if (!each.is_for(pool) || (count > 3 && std::strcmp(words[3], pool) != 0)) continue;
      ++played;
      if (!holds(each, pool, schedules)) ++failed;
    }
  }
  std::printf("%u pairs of a scene and a pool, %llu schedules of each, %u failed\n", played,
              static_cast<unsigned long long>(schedules), failed);
  if (played == 0) return 2;
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_openmp

int main(int count, char** words) { return teff::TEFF_PLATFORM::testing_openmp::run(count, words); }
