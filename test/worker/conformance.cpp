// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The suite over the catalogue: a new pool is tested without a new line.
#include "suite.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace teff::inline TEFF_PLATFORM::conformance {
namespace {

class every_pool : public ::testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  template <dressing Dressing>
  static std::string problem() {
    const auto& [name, workers] = GetParam();
    std::string found = "no such pool";
    unsigned place = 0;
    pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
      // Each manager serves some of the pools and team sizes.
      const auto managers = runtime::manager_names();
      const unsigned turn = place++ + workers / 2;
      if (name != each.name) return;
      found = run_suite<Pool, Dressing>(
          {.workers = workers, .alone = each.alone, .memory = managers[turn % managers.size()], .seeds = 10});
    });
    return found;
  }
};

TEST_P(every_pool, keeps_the_contract) { EXPECT_EQ(problem<dressing::checked>(), ""); }

TEST_P(every_pool, serves_a_team_alone) { EXPECT_EQ(problem<dressing::bare>(), ""); }

INSTANTIATE_TEST_SUITE_P(catalogue, every_pool,
                         ::testing::Combine(::testing::ValuesIn(runtime::pool_names()), ::testing::Values(1u, 2u, 4u, 8u, 64u)),
                         [](const auto& each) {
                           return std::get<0>(each.param) + "_" + std::to_string(std::get<1>(each.param));
                         });

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM::conformance
