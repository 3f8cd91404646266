// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/tuning.h"
#include "runtime/make_team.h"
#include "test/sync/scene.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {

using testing_runtime::census;
using testing_runtime::foreign_thread;
using testing_runtime::pool_names;
using testing_runtime::sentence_of;
using testing_sync::in_a_task;
using testing_sync::in_a_task_on_every_pool;

/// Each test's body under so many schedules of the simulator.
inline constexpr unsigned few_seeds = 10;

#ifdef TEFF_SIMULATED
/// The constants of programs, for a scope.
struct real_constants {
  real_constants() { tuning::small = false; }
  ~real_constants() { tuning::small = true; }
};
#endif

/// Returns: a team for an entrance.
inline std::unique_ptr<workers::team_base> made(const std::string& pool, unsigned workers,
                                                std::vector<std::string> settings = {}) {
  const team_options request{pool, "dlf", workers, std::move(settings), 64, 1, false};
  runtime::team_plan plan;
  EXPECT_EQ(runtime::understand(request, plan), "");
  return runtime::make_team(request, plan);
}

/// Effect: as in_a_task_on_every_pool, on 64 workers, which few of the pools' structures see.
inline void in_a_task_on_64_workers(unsigned seeds, const std::function<void(context&)>& body) {
  for (const char* pool : {"sq1", "dq5", "dq8"}) {
    SCOPED_TRACE(std::string(pool) + " on 64");
    in_a_task({.pool = pool, .workers = 64}, seeds, body);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace TEFF_NAMESPACE::testing_parallel
