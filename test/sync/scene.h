// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "teff/teff.hpp"

#include "test/runtime/helpers.h"

namespace teff::inline TEFF_PLATFORM::testing_sync {

using testing_runtime::foreign_thread;
using testing_runtime::pool_names;
using testing_runtime::sentence_of;

/// Each test's body under so many schedules of the simulator.
inline constexpr unsigned few_seeds = 10, some_seeds = 20;

/// Effect: runs `body(context&)` as the one initial task of a team on this pool, natively or under `seeds` random schedules.
inline void in_a_task(const team_options& options, [[maybe_unused]] unsigned seeds, const std::function<void(context&)>& body) {
  const auto once = [&] {
    team tested(options);
    tested.init([&](context& here) { body(here); });
    tested.run();
  };
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= seeds && !::testing::Test::HasFailure(); ++seed) {
    sim::options simulated;
    simulated.processors_at_most = options.workers + 4;
    simulated.strategy = sim::strategy::random;
    simulated.seed = seed;
    const sim::outcome outcome = sim::simulate(simulated, once);
    EXPECT_TRUE(outcome.ok()) << "pool " << options.pool << ", workers " << options.workers << ", seed " << seed << "\n"
                              << outcome.report;
    EXPECT_EQ(outcome.leftover_blocks, 0u) << "pool " << options.pool << ", seed " << seed;
  }
#else
  once();
#endif
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

}  // namespace teff::inline TEFF_PLATFORM::testing_sync
