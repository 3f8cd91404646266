// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "teff/teff.hpp"

#include "test/runtime/helpers.h"

namespace TEFF_NAMESPACE::testing_sync {

using testing_runtime::foreign_thread;
using testing_runtime::pool_names;
using testing_runtime::sentence_of;

/// Each test's body under so many schedules of the simulator.
inline constexpr unsigned few_seeds = 10, some_seeds = 20;

/// Effect: calls the body: natively once, in simulation under so many random schedules, of which each has to end and to leave at most
/// `left` blocks of memory: tasks that wait for ever keep what they own.
inline void on_random_schedules([[maybe_unused]] unsigned processors, [[maybe_unused]] unsigned seeds,
                                const std::function<void()>& body, [[maybe_unused]] std::size_t left = 0) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= seeds && !::testing::Test::HasFailure(); ++seed) {
    sim::options simulated;
    simulated.processors_at_most = processors;
    simulated.strategy = sim::strategy::random;
    simulated.seed = seed;
    const sim::outcome outcome = sim::simulate(simulated, body);
    EXPECT_TRUE(outcome.ok()) << "seed " << seed << "\n" << outcome.report;
    EXPECT_LE(outcome.leftover_blocks, left) << "seed " << seed;
  }
#else
  body();
#endif
}

/// Effect: runs `body(context&)` as the one initial task of a team on this pool, natively or under `seeds` random schedules.
inline void in_a_task(const team_options& options, unsigned seeds, const std::function<void(context&)>& body) {
  SCOPED_TRACE("pool " + options.pool + ", workers " + std::to_string(options.workers));
  on_random_schedules(options.workers + 4, seeds, [&] {
    team tested(options);
    tested.init([&](context& here) { body(here); });
    tested.run();
  });
}

/// Effect: the same on every pool of the catalogue, on 1, 2 and 8 workers.
inline void in_a_task_on_every_pool(unsigned seeds, const std::function<void(context&)>& body) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u, 8u}) {
      SCOPED_TRACE(pool + " on " + std::to_string(workers));
      in_a_task({.pool = pool, .workers = workers}, seeds, body);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace TEFF_NAMESPACE::testing_sync
