// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "apps/workload.h"

#include <gtest/gtest.h>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

#include <functional>
#include <string>

namespace TEFF_NAMESPACE::apps {

/// Effect: calls the body, inside the simulator where there is one.
inline void on_this_side([[maybe_unused]] unsigned processors, const std::function<void()>& body) {
#ifdef TEFF_SIMULATED
  sim::options options;
  options.processors_at_most = processors;
  const sim::outcome outcome = sim::simulate(options, body);
  EXPECT_TRUE(outcome.ok()) << outcome.report;
#else
  body();
#endif
}

/// Effect: runs both versions and expects them to be right and to count the same tasks.
inline void expect_both_versions_right(workload& some, const std::string& size, const std::string& pool, unsigned workers) {
  ASSERT_EQ(some.choose_size(size), "");
  some.prepare(1, workers);
  on_this_side(1, [&] { some.serial(); });
  EXPECT_EQ(some.verify(), "");
  const std::uint64_t expected = some.tasks_run();
  some.prepare(1, workers);
  on_this_side(workers, [&] {
    team_options options;
    options.pool = pool;
    options.workers = workers;
    team made(options);
    some.tasks(made);
  });
  EXPECT_EQ(some.verify(), "") << pool << " on " << workers;
  EXPECT_EQ(some.tasks_run(), expected) << pool << " on " << workers;
}

}  // namespace TEFF_NAMESPACE::apps
