// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks from threads that are no workers.
#include "helpers.h"

#include <memory>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

class injectors : public ::testing::TestWithParam<std::string> {};

TEST_P(injectors, of_several_threads_feed_one_run) {
  on_this_side(7, [&] {
    census all;
    team on({.pool = GetParam(), .workers = 4});
    tree tasks(5);
    tasks.start(on);
    std::vector<std::unique_ptr<foreign_thread>> threads;
    std::vector<std::unique_ptr<injector>> sources;
    for (int i = 0; i < 3; ++i) sources.push_back(std::make_unique<injector>(on));
    for (int i = 0; i < 3; ++i) {
      threads.push_back(std::make_unique<foreign_thread>([&all, &source = sources[static_cast<std::size_t>(i)]] {
        for (int put = 0; put < 20; ++put) {
          source->put([held = all.make()](context& here) {
            held.ran();
            here.put([held](context&) { held.ran(); });
          });
        }
        source.reset();
      }));
    }
    on.run();
    EXPECT_EQ(all.runs(), 3 * 20 * 2);
    EXPECT_EQ(all.alive(), 0);
    EXPECT_EQ(tasks.first_not_run(1), 0u);
    EXPECT_EQ(on.stats().value("injections"), 60u);
  });
}

TEST_P(injectors, wake_a_team_that_sleeps) {
  on_this_side(3, [&] {
    platform::atomic<std::uint32_t> answered{0};
    team on({.pool = GetParam(), .workers = 2});
    auto source = std::make_unique<injector>(on);
    foreign_thread outside([&] {
      for (std::uint32_t put = 1; put <= 10; ++put) {
        // Each question waits for the answer to the last one: in between, every worker finds nothing and goes to sleep.
        source->put([&answered](context&) {
          answered.fetch_add(1, platform::release);
          platform::wake_all(answered);
        });
        for (std::uint32_t seen; (seen = answered.load(platform::acquire)) != put;) platform::park(answered, seen, "an answer");
      }
      source.reset();
    });
    on.run();
    EXPECT_EQ(answered.load(platform::acquire), 10u);
  });
}

TEST_P(injectors, may_be_used_before_the_run) {
  on_this_side(2, [&] {
    census all;
    team on({.pool = GetParam(), .workers = 2});
    {
      injector from(on);
      for (int i = 0; i < 5; ++i) from.put([held = all.make()](context&) { held.ran(); });
    }
    EXPECT_EQ(all.runs(), 0);
    on.run();
    EXPECT_EQ(all.runs(), 5);
  });
}

TEST_P(injectors, put_several_together) {
  on_this_side(3, [&] {
    census all;
    team on({.pool = GetParam(), .workers = 2});
    auto source = std::make_unique<injector>(on);
    foreign_thread outside([&] {
      struct counted {
        census::token held;
        void operator()(context&) const { held.ran(); }
      };
      std::vector<counted> together;
      source->put_all(std::span(together));  // none
      for (int i = 0; i < 21; ++i) together.push_back({all.make()});
      source->put_all(std::span(together));
      together.clear();
      source.reset();
    });
    on.run();
    EXPECT_EQ(all.runs(), 21);
    EXPECT_EQ(all.alive(), 0);
    EXPECT_EQ(on.stats().value("injections"), 21u);
  });
}

TEST_P(injectors, that_put_nothing_keep_a_run_open_until_they_are_gone) {
  on_this_side(3, [&] {
    platform::atomic<bool> closing{false};
    team on({.pool = GetParam(), .workers = 2});
    auto source = std::make_unique<injector>(on);
    foreign_thread outside([&] {
      closing.store(true, platform::release);
      source.reset();
    });
    on.run();
    EXPECT_TRUE(closing.load(platform::acquire));
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, injectors, ::testing::ValuesIn(pool_names()), [](const auto& each) { return each.param; });

TEST(injectors_and_teams, a_team_may_go_as_soon_as_its_run_has_ended) {
  for (int round = 0; round < 200; ++round) {
    on_this_side(3, [] {
      auto on = std::make_unique<team>(team_options{.workers = 2});
      auto source = std::make_unique<injector>(*on);
      foreign_thread outside([&source] { source.reset(); });
      on->run();
      on.reset();  // the thread may still be inside the injector's destructor, but must not touch the team any more
    });
    if (::testing::Test::HasFailure()) return;
  }
}

#ifdef TEFF_SIMULATED
TEST(injectors_and_teams, the_end_is_found_however_late_a_waker_counts) {
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    sim::options options;
    options.processors_at_most = 3;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    const sim::outcome outcome = sim::simulate(options, [] {
      team on({.pool = "sq1", .workers = 2});
      auto source = std::make_unique<injector>(on);
      foreign_thread outside([&source] { source.reset(); });
      on.run();
    });
    ASSERT_TRUE(outcome.ok()) << outcome.report;
  }
}

/// A task waits until another source is open, and ends: by its end, if not before, a worker that looks for the run's end sees
/// that.
TEST(injectors_and_teams, a_source_that_a_task_waited_for_keeps_the_run_open) {
  for (std::uint64_t seed = 1; seed <= 60'000; ++seed) {
    sim::options options;
    options.processors_at_most = 3;
    options.strategy = seed % 2 == 0 ? sim::strategy::random : sim::strategy::pct;
    options.seed = seed;
    bool too_early = false;
    const sim::outcome outcome = sim::simulate(options, [&too_early] {
      platform::atomic<std::uint32_t> begun{0}, opened{0}, over{0};
      team on({.pool = "sq1", .workers = 2});
      auto first = std::make_unique<injector>(on);
      foreign_thread outside([&] {
        first->put([&](context&) {
          begun.store(1, platform::release);
          platform::wake_all(begun);
          while (opened.load(platform::acquire) == 0) platform::park(opened, 0, "another source");
        });
        first.reset();
        while (begun.load(platform::acquire) == 0) platform::park(begun, 0, "the task");
        const injector second(on);
        opened.store(1, platform::release);
        platform::wake_all(opened);
        for (unsigned step = 0; step < 200; ++step) platform::pause();
        too_early |= over.load(platform::acquire) != 0;
      });
      on.run();
      over.store(1, platform::release);
    });
    ASSERT_TRUE(outcome.ok()) << outcome.report;
    ASSERT_FALSE(too_early) << "seed " << seed;
  }
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
