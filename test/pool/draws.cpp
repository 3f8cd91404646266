// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What tells rq1, rq2 and rq3 from one another: how they draw (Korch & Rauber 2002, §6.3).
#include "trial.h"

#include "test/support/sides.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>

namespace TEFF_NAMESPACE::pool {
namespace {

using testing_support::on_this_side;
using numbers = std::vector<int>;
using draw_below = std::function<unsigned(unsigned bound)>;

constexpr unsigned workers = 2, queues = 4 * workers, tasks = 20;

/// Pools mix the team's seed, 1 unless given, with a generator of another kind.
unsigned seed_of_worker_0() { return static_cast<unsigned>(platform::random(1).next()); }

/// Returns: the order in which one worker gets the tasks 1 … tasks that it put into stacks drawn by `draw`, looking for each
/// through the stacks in an order that it draws step by step.
numbers modelled(const draw_below& draw) {
  std::vector<numbers> stacks(queues);
  std::vector<unsigned> order(queues);
  std::iota(order.begin(), order.end(), 0u);
  for (int number = 1; number <= static_cast<int>(tasks); ++number) stacks[draw(queues)].push_back(number);
  numbers taken;
  while (taken.size() < tasks) {
    for (unsigned at = 0; at < queues; ++at) {
      std::swap(order[at], order[at + draw(queues - at)]);
      numbers& stack = stacks[order[at]];
      if (stack.empty()) continue;
      taken.push_back(stack.back());
      stack.pop_back();
      break;
    }
  }
  return taken;
}

std::set<std::string> pools_that_get(const numbers& expected) {
  return pools_for_which([&]<class Pool>() {
    numbers taken;
    on_this_side([&] {
      trial<Pool> tried(settings{}, workers);
      tried.put_up_to(0, tasks);
      taken = tried.get_all(0);
    });
    return taken == expected;
  });
}

TEST(draws, rq1_by_the_c_library_in_floating_point) {
  unsigned state = seed_of_worker_0();
  const auto draw = [&](unsigned bound) { return static_cast<unsigned>(rand_r(&state) / (RAND_MAX + 1.0) * bound); };
  EXPECT_EQ(pools_that_get(modelled(draw)), std::set<std::string>{"rq1"});
}

TEST(draws, rq2_by_the_mersenne_twister_in_integers) {
  std::mt19937 twister(seed_of_worker_0());
  const auto draw = [&](unsigned bound) { return static_cast<unsigned>(twister() % bound); };
  EXPECT_EQ(pools_that_get(modelled(draw)), std::set<std::string>{"rq2"});
}

TEST(draws, rq3_by_the_mersenne_twister_in_floating_point) {
  std::mt19937 twister(seed_of_worker_0());
  const auto draw = [&](unsigned bound) {
    return static_cast<unsigned>(std::ldexp(static_cast<double>(twister()), -32) * bound);
  };
  EXPECT_EQ(pools_that_get(modelled(draw)), std::set<std::string>{"rq3"});
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
