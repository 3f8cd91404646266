// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pool of docs/howto/write-a-pool.md in a team, on both sides of the seam, and what its author is warned of.
#include "two_choices.h"

#include "runtime/make_team.h"
#include "teff/task.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::tutorial {
namespace {

/// A team on a pool that is not in the catalogue.
template <class Pool>
std::unique_ptr<workers::team_base> make_team_on(unsigned workers, std::uint64_t seed = 1) {
  const workers::team_shape shape{
      .workers = workers, .seed = seed, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
  return std::make_unique<workers::team_of<Pool>>(
      shape, pool::settings{},
      [](unsigned real_workers, std::size_t task_block_bytes) {
        return runtime::make_memory("dlf", real_workers, task_block_bytes, 64);
      },
      [](const pool::environment& from) { return Pool(from); });
}

/// A complete binary tree of tasks that count their runs.
class tree {
 public:
  explicit tree(unsigned depth) : runs_(std::size_t{1} << depth) {}

  void start(workers::team_base& on) {
    ASSERT_TRUE(on.init(detail::make_outside_task([this](context& here) { node(here, 1); })));
  }
  /// Returns: the first task that did not run so many times, or 0.
  std::size_t first_not_run(int times) const {
    for (std::size_t id = 1; id < runs_.size(); ++id) {
      if (runs_[id].load(platform::relaxed) != times) return id;
    }
    return 0;
  }

 private:
  void node(context& here, std::size_t id) {
    runs_[id].fetch_add(1, platform::relaxed);
    if (2 * id >= runs_.size()) return;
    here.put([this, id](context& child) { node(child, 2 * id); });
    here.put([this, id](context& child) { node(child, 2 * id + 1); });
  }

  std::vector<platform::atomic<int>> runs_;
};

/// Effect: two runs of a tree, one with a task from outside. Returns: how the second ended.
template <class Pool>
workers::run_result run_trees(unsigned workers) {
  const auto on = make_team_on<Pool>(workers);
  tree tasks(6);
  tasks.start(*on);
  if (const auto first = on->run(); first != workers::run_result::finished) return first;
  EXPECT_EQ(tasks.first_not_run(1), 0u);
  platform::atomic<int> injected{0};
  on->open_source();
  EXPECT_TRUE(on->inject(detail::make_outside_task([&](context&) { injected.fetch_add(1, platform::relaxed); })));
  on->close_source();
  tasks.start(*on);
  const auto second = on->run();
  EXPECT_EQ(tasks.first_not_run(2), 0u);
  EXPECT_EQ(injected.load(platform::relaxed), 1);
  EXPECT_GT(on->totals().peak_live_tasks, 0u);
  return second;
}

#ifdef TEFF_SIMULATED

sim::options options_of(sim::strategy used, std::uint64_t seed, unsigned workers) {
  sim::options options;
  options.strategy = used;
  options.seed = seed;
  options.processors_at_most = workers;
  options.pct_length = 5'000;
  return options;
}

TEST(two_choices, runs_each_task_once_under_many_schedules) {
  for (const sim::strategy used : {sim::strategy::random, sim::strategy::pct, sim::strategy::virtual_time}) {
    for (const unsigned workers : {1u, 2u, 4u, 16u}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const sim::outcome ended = sim::simulate(options_of(used, seed, workers), [&] {
          EXPECT_EQ(run_trees<two_choices>(workers), workers::run_result::finished) << "seed " << seed;
        });
        ASSERT_TRUE(ended.ok()) << ended.report;
        ASSERT_EQ(ended.leftover_blocks, 0u) << "seed " << seed;
      }
    }
  }
}

/// The mistake that the how-to warns of: `empty` although not every stack was looked at.
class hasty : public two_choices {
 public:
  using two_choices::two_choices;
  pool::get_result get(worker& current, task& next, pool::reach how) {
    if (!gives_up_early || current.random.below(2) == 0) return two_choices::get(current, next, how);
    return pool::get_result::empty;
  }
  bool gives_up_early = true;
};

/// Returns: how a run of few tasks ends with that pool; what it leaves over is then got as it should be.
workers::run_result run_hastily(std::uint64_t seed) {
  const auto on = make_team_on<hasty>(2, seed);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(on->init(detail::make_outside_task([](context&) {})));
  const auto result = on->run();
  static_cast<workers::team_of<hasty>&>(*on).pool().gives_up_early = false;
  return result;
}

TEST(two_choices, that_answers_empty_too_early_is_found_stuck) {
  workers::run_result result = workers::run_result::finished;
  for (std::uint64_t seed = 1; seed <= 1000 && result == workers::run_result::finished; ++seed) {
    const sim::outcome ended = sim::simulate(options_of(sim::strategy::random, seed, 2), [&] { result = run_hastily(seed); });
    ASSERT_TRUE(ended.ok()) << ended.report;
    ASSERT_EQ(ended.leftover_blocks, 0u) << "seed " << seed;
  }
  EXPECT_EQ(result, workers::run_result::stuck);
}

#else

TEST(two_choices, runs_each_task_once_on_real_threads) {
  for (const unsigned workers : {1u, 2u, 8u, 64u}) {
    for (int time = 0; time < 5; ++time) EXPECT_EQ(run_trees<two_choices>(workers), workers::run_result::finished) << workers;
  }
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::tutorial
