// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A wait that runs whatever it finds must be missed by somebody: by a task that holds a mutex while it waits, and finds one that
/// wants it.
#include "script.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"
#include "teff/group.hpp"
#include "teff/sync.hpp"
#include "test/runtime/helpers.h"

#include <gtest/gtest.h>
#include <mutex>

namespace TEFF_NAMESPACE::conformance {
namespace {

struct runs_anything : workers::rules {
  static constexpr bool waits_run_children_only = false;
};

/// What lives on until the end of a run that is stuck: its tasks' stacks are given back as they are.
struct scene {
  mutex held;
  unsigned inside = 0;
};

/// Effect: one worker; a task holds a mutex and waits for a child, before and behind which tasks stand that want the mutex.
/// Returns: how it ended.
template <class Pool, class Rules>
workers::run_result hold_and_wait(scene& at) {
  const workers::team_shape shape{
      .workers = 1, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
  workers::team_of<Pool, Rules> on(
      shape, pool::settings{},
      [](unsigned workers, std::size_t task_block_bytes) { return runtime::make_memory("dlf", workers, task_block_bytes, 64); },
      [](const pool::environment& from) { return Pool(from); });
  script tasks;
  for (unsigned other = 0; other < 2; ++other) {
    tasks.add([&](worker&) {
      const std::lock_guard guard(at.held);
      EXPECT_EQ(at.inside++, 0u);
      --at.inside;
    });
  }
  step& root = tasks.add([&](worker& current) {
    const std::lock_guard guard(at.held);
    EXPECT_EQ(at.inside++, 0u);
    task_group children;
    put(current, tasks[0]);
    children.put(*current.here, [] {});
    put(current, tasks[1]);
    children.wait(*current.here);
    --at.inside;
  });
  on.init(root.as_task());
  const workers::run_result result = on.run();
  EXPECT_TRUE(result == workers::run_result::stuck || tasks.not_run(1).empty()) << tasks.not_run(1);
  return result;
}

template <class Pool, class Rules>
workers::run_result on_this_side(bool expects_failure) {
  workers::run_result result = workers::run_result::nested;
  // Never destroyed if the run is stuck: the mutex is held for ever.
  auto* at = new scene;
#ifdef TEFF_SIMULATED
  sim::options options;
  options.expects_failure = expects_failure;
  const sim::outcome ended = sim::simulate(options, [&] { result = hold_and_wait<Pool, Rules>(*at); });
  if (!ended.ok()) result = workers::run_result::stuck;
#else
  static_cast<void>(expects_failure);
  result = hold_and_wait<Pool, Rules>(*at);
#endif
  if (result == workers::run_result::finished) delete at;
  return result;
}

TEST(wait_mutants, a_wait_that_runs_unrelated_tasks_is_found) {
  constexpr auto stuck = workers::run_result::stuck;
  EXPECT_EQ((on_this_side<pool::sq1, runs_anything>(true)), stuck);
  EXPECT_EQ((on_this_side<pool::dq1, runs_anything>(true)), stuck);
  EXPECT_EQ((on_this_side<pool::dq5, runs_anything>(true)), stuck);
  EXPECT_EQ((on_this_side<pool::dq8, runs_anything>(true)), stuck);
}

TEST(wait_mutants, a_wait_that_does_not_is_fine_on_every_pool) {
  pool::for_each_pool([]<class Pool>(const pool::entry& each) {
    EXPECT_EQ((on_this_side<Pool, workers::rules>(false)), workers::run_result::finished) << each.name;
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
