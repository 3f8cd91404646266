// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every pool of the catalogue must do for a team; a new pool is tested without a new line.
#include "teff/teff.hpp"

#include "platform/platform.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace teff::inline TEFF_PLATFORM {
namespace {

/// Effect: calls the body: once natively, under several random schedules in simulation.
void on_this_side([[maybe_unused]] unsigned workers, const std::function<void()>& body) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    sim::options options;
    options.processors_at_most = workers;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    const sim::outcome outcome = sim::simulate(options, body);
    ASSERT_TRUE(outcome.ok()) << outcome.report;
  }
#else
  body();
#endif
}

/// Each number below 2^depth is a task; its run is counted in a cell of its own.
class tree {
 public:
  explicit tree(unsigned depth) : runs_(std::size_t{1} << depth) {}

  void start(team& on) {
    on.init([this](context& c) { node(c, 1); });
  }
  void expect_each_once(int times) {
    for (std::size_t id = 1; id < runs_.size(); ++id) ASSERT_EQ(runs_[id].load(platform::relaxed), times) << "task " << id;
  }

 private:
  void node(context& c, std::size_t id) {
    runs_[id].fetch_add(1, platform::relaxed);
    if (2 * id >= runs_.size()) return;
    c.put([this, id](context& child) { node(child, 2 * id); });
    c.put([this, id](context& child) { node(child, 2 * id + 1); });
  }

  std::vector<platform::atomic<int>> runs_;
};

class every_pool : public ::testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  team_options options() const { return {.pool = std::get<0>(GetParam()), .workers = workers()}; }
  unsigned workers() const { return std::get<1>(GetParam()); }
};

TEST_P(every_pool, runs_each_task_once_in_every_run) {
  on_this_side(workers(), [&] {
    team on(options());
    tree tasks(8);
    for (int run = 1; run <= 3; ++run) {
      tasks.start(on);
      on.run();
      tasks.expect_each_once(run);
    }
    EXPECT_EQ(on.stats().value("tasks_run"), 3 * 255u);
    EXPECT_EQ(on.stats().value("puts") + on.stats().value("inits"), 3 * 255u);
  });
}

TEST_P(every_pool, rethrows_an_exception_after_all_tasks_ran) {
  on_this_side(workers(), [&] {
    team on(options());
    tree tasks(6);
    on.init([](context&) { throw std::runtime_error("planted"); });
    tasks.start(on);
    EXPECT_THROW(on.run(), std::runtime_error);
    tasks.expect_each_once(1);
    EXPECT_NO_THROW(on.run());
  });
}

TEST_P(every_pool, runs_what_an_injector_puts_while_it_runs) {
  on_this_side(workers(), [&] {
    team on(options());
    platform::atomic<int> ran{0};
    auto source = std::make_unique<injector>(on);
    struct given {
      std::unique_ptr<injector>& source;
      platform::atomic<int>& ran;
    } to_thread{source, ran};
    platform::thread outside;
    ASSERT_TRUE(outside.start(
        [](void* pointer) {
          auto& [from, counted] = *static_cast<given*>(pointer);
          for (int i = 0; i < 20; ++i) from->put([&counted = counted](context&) { counted.fetch_add(1, platform::relaxed); });
          from.reset();  // now the run may end
        },
        &to_thread, -1));
    on.run();
    EXPECT_EQ(ran.load(platform::acquire), 20);
    outside.join();
  });
}

TEST_P(every_pool, disposes_of_tasks_that_never_ran) {
  on_this_side(workers(), [&] {
    auto witness = std::make_shared<int>(0);
    {
      team on(options());
      for (int i = 0; i < 10; ++i) on.init([witness](context&) {});
      EXPECT_EQ(witness.use_count(), 11);
    }
    EXPECT_EQ(witness.use_count(), 1);
  });
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const catalogue_line& each : list_pools()) all.emplace_back(each.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(catalogue, every_pool,
                         ::testing::Combine(::testing::ValuesIn(names()), ::testing::Values(1u, 2u, 4u, 8u, 64u)),
                         [](const auto& each) {
                           return std::get<0>(each.param) + "_" + std::to_string(std::get<1>(each.param));
                         });

TEST(team_options, name_the_value_and_the_allowed_values) {
  EXPECT_THROW(team({.pool = "dq9"}), usage_error);
  EXPECT_THROW(team({.memory = "dlg"}), usage_error);
  EXPECT_THROW(team({.workers = 100'000}), usage_error);
  EXPECT_THROW(team({.pool = "sq1", .settings = {"block=4"}}), usage_error);
  EXPECT_THROW(team({.pool = "dq8", .settings = {"block=0"}}), usage_error);
}

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM
