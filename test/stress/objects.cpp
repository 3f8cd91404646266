// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The objects of src/sync under thousands of seeds: meetings of tasks and foreign threads (test/sync/scenarios.h), with real
/// threads or in random schedules. usage: stress_objects COUNT          seeds 1 … COUNT of each object
///        stress_objects OBJECT SEED    one of them again
#include "test/sync/scenarios.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

template <class Scenario>
bool tell(const finding& found) {
  if (found.seed == 0) return true;
  std::printf("FAILED: %s\n  again: stress_objects %s %llu\n", found.what.c_str(), Scenario::name,
              static_cast<unsigned long long>(found.seed));
  return false;
}

int play_all(std::uint64_t seeds) {
  bool fine = true;
  for_each_meeting([&]<class Scenario>() {
    if (!fine || !(fine = tell<Scenario>(first_finding<Scenario>(seeds)))) return;
    std::printf("%s: %llu seeds\n", Scenario::name, static_cast<unsigned long long>(seeds));
    std::fflush(stdout);
  });
  return fine ? 0 : 1;
}

/// Returns: 2 if there is no such object.
int play_one(const char* name, std::uint64_t seed) {
  int result = 2;
  for_each_meeting([&]<class Scenario>() {
    if (std::strcmp(name, Scenario::name) != 0) return;
    const std::string wrong = play_here<Scenario>(seed);
    result = wrong.empty() || tell<Scenario>({seed, wrong}) ? 0 : 1;
  });
  return result;
}

int main_of(int count, char** words) {
  const long long number = count == 2 || count == 3 ? std::atoll(words[count - 1]) : 0;
  int result = 2;
  if (number > 0)
    result = count == 2 ? play_all(static_cast<std::uint64_t>(number)) : play_one(words[1], static_cast<std::uint64_t>(number));
  if (result == 2) std::fputs("usage: stress_objects COUNT | stress_objects OBJECT SEED\n", stderr);
  return result;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync

int main(int count, char** words) { return teff::testing_sync::main_of(count, words); }
