// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the workers start that a call from outside wakes. Simulated only.
#include "script.h"

#include "sim/sim.h"
#include "test/runtime/helpers.h"
#include "test/support/workers.h"
#include "worker/loop.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace teff::inline TEFF_PLATFORM::conformance {
namespace {

using platform::placement;

/// Returns: what was asked for each worker of a sleeping team, in order, after a call from outside; by a thread that leaves its
/// processor or not.
std::vector<placement::wish> wishes_after_a_call(unsigned workers, unsigned processors, bool caller_leaves) {
  std::vector<placement::wish> asked;
  sim::options options;
  options.processors_at_most = processors;
  const sim::outcome outcome = sim::simulate(options, [&] {
    using team = workers::team_of<pool::split_deques<>>;
    team on({.workers = workers, .seed = 1, .pin = false, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park}, pool::settings{},
            [](unsigned count, std::size_t block_bytes) { return runtime::make_memory("dlf", count, block_bytes, 64); },
            [](const pool::environment& from) { return pool::split_deques<>(from); });
    script tasks;
    step& called = tasks.add();
    on.open_source();
    testing_support::run_on_each(2, [&](unsigned me) {
      if (me == 0) return static_cast<void>(on.run());
      while (on.totals().counters[static_cast<unsigned>(trace::counter::parks)] < workers) platform::charge(10'000);
      if (caller_leaves) on.inject_and_leave(called.as_task());
      else on.inject(called.as_task());
      on.close_source();
    });
    EXPECT_EQ(tasks.not_run(1), "");
    for (unsigned id = 0; id < on.workers(); ++id) asked.push_back(static_cast<workers::member&>(on.worker_at(id)).start.last());
  });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  std::sort(asked.begin(), asked.end());
  return asked;
}

constexpr auto nothing = placement::wish::nothing, here = placement::wish::here, elsewhere = placement::wish::elsewhere;

TEST(placement, of_two_workers_that_a_leaving_caller_wakes) {
  EXPECT_EQ(wishes_after_a_call(3, 8, true), (std::vector{nothing, here, elsewhere}));
}

TEST(placement, is_left_to_the_system_else) {
  EXPECT_EQ(wishes_after_a_call(3, 8, false), (std::vector{nothing, nothing, nothing})) << "the caller stays";
  EXPECT_EQ(wishes_after_a_call(1, 8, true), (std::vector{nothing})) << "no other worker runs on the other processors";
}

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM::conformance
