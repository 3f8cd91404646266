// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The suite over the catalogue: a new pool is tested without a new line.
#include "suite.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

namespace TEFF_NAMESPACE::conformance {
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
      const std::string& memory = managers[turn % managers.size()];
      const unsigned seeds = workers < 64 ? 10 : 3;  // which take as long
      found = run_suite(trial_of<Pool, Dressing>, {.workers = workers, .alone = each.alone, .memory = memory, .seeds = seeds});
    });
    return found;
  }
};

TEST_P(every_pool, keeps_the_contract) { EXPECT_EQ(problem<dressing::checked>(), ""); }

TEST_P(every_pool, serves_a_team_alone) { EXPECT_EQ(problem<dressing::bare>(), ""); }

/// Returns: what is wrong with the blocks of the pool over that manager after some runs of a team, or nothing.
std::string problem_of_pair(const trial& of, const plan& how) {
  return on_this_side(how, [&](findings& found) {
    constexpr int runs = 12, first_runs = 4;
    script tasks;
    step& root = tasks.add_tree(2, 40);
    subject here(of, how, found);
    std::uint64_t held = 0;
    for (int run = 1; run <= runs; ++run) {
      here.init(root);
      here.run();
      if (run == first_runs) held = here.team().totals().peak_bytes;
    }
    found.expect_none(tasks.not_run(runs));
    // With several workers, lists of their own may grow: what one of them always gives back does not return to the others.
    if (how.workers == 1) found.expect(here.team().totals().peak_bytes == held, "memory grows from run to run");
  });
}

class every_pair : public ::testing::TestWithParam<std::string> {};

TEST_P(every_pair, leaves_no_block_behind) {
  pool::for_each_pool([]<class Pool>(const pool::entry& each) {
    if (GetParam() != each.name) return;
    for (const std::string& memory : runtime::manager_names()) {
      for (const unsigned workers : {1u, 3u}) {
        EXPECT_EQ(problem_of_pair(trial_of<Pool, dressing::checked>, {.workers = workers, .memory = memory}), "")
            << memory << ", " << workers << " workers";
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, every_pair, ::testing::ValuesIn(runtime::pool_names()),
                         [](const auto& each) { return each.param; });

std::string name_of(const ::testing::TestParamInfo<every_pool::ParamType>& each) {
  return std::get<0>(each.param) + "_" + std::to_string(std::get<1>(each.param));
}

INSTANTIATE_TEST_SUITE_P(catalogue, every_pool,
                         ::testing::Combine(::testing::ValuesIn(runtime::pool_names()), ::testing::Values(1u, 2u, 4u, 8u)),
                         name_of);

/// Teams in domains, also of more places than workers: pools that go by them.
struct seating {
  unsigned domains, workers_each, workers;
};

std::vector<seating> seatings() {
  const seating shapes[] = {{1, 8, 8}, {2, 4, 8}, {4, 2, 8}, {8, 1, 8}, {2, 3, 5}, {8, 8, 5}, {2, 4, 5}, {4, 2, 3}, {8, 8, 12}};
  if (std::getenv("TEFF_STRESS") == nullptr) return {std::begin(shapes), std::end(shapes)};
  std::vector<seating> all;
  for (const auto& [domains, each] : {std::pair(1u, 8u), {2u, 4u}, {4u, 2u}, {8u, 1u}, {8u, 8u}, {2u, 3u}}) {
    for (unsigned workers = 1; workers <= domains * each; ++workers) all.push_back({domains, each, workers});
  }
  return all;
}

class in_domains : public ::testing::TestWithParam<std::string> {};

TEST_P(in_domains, keeps_the_contract) {
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    if (GetParam() != each.name) return;
    for (const auto& [domains, workers_each, workers] : seatings()) {
      // Where the domains only say who is called first, two of them are enough.
      const bool shares_by_domain = std::string(each.name) == "mts";
      if (!shares_by_domain && std::getenv("TEFF_STRESS") == nullptr && domains != 2) continue;
      const plan how{.workers = workers, .alone = each.alone, .seeds = 1, .domains = {domains, workers_each}};
      const std::string where =
          std::to_string(domains) + "x" + std::to_string(workers_each) + ", " + std::to_string(workers) + " workers";
      EXPECT_EQ(run_suite(trial_of<Pool, dressing::checked>, how), "") << where;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(shepherds, in_domains, ::testing::Values("teff", "q", "l", "cq", "ws", "mts"),
                         [](const auto& each) { return each.param; });

/// Many workers take most of the suite's time: one pool of each form has them; all have in ./dev stress.
std::vector<std::string> pools_of_many() {
  if (std::getenv("TEFF_STRESS") != nullptr) return runtime::pool_names();
  return {"sq1", "sq4", "dq1", "dq4", "dq5", "dq8", "sdq1", "hierarchical", "q", "mts", "teff"};
}

INSTANTIATE_TEST_SUITE_P(large_teams, every_pool,
                         ::testing::Combine(::testing::ValuesIn(pools_of_many()), ::testing::Values(64u)), name_of);

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
